// parse(print(x)) = x on random releases.

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "releases.hpp"

namespace postern::release {
namespace {

class RandomRelease {
 public:
  explicit RandomRelease(std::uint32_t stream) : rng_(20261005, stream, Purpose::test) {}

  Release make() {
    model::Study study;
    study.name = "study-" + std::to_string(below(1000));
    study.dataset = "data_" + std::to_string(below(1000));
    const bool add_remove = flip();
    study.privacy.adjacency = add_remove ? model::Adjacency::add_remove : model::Adjacency::replace_one;
    study.privacy.currency = flip() ? Currency::pure : Currency::zcdp;
    if (add_remove) study.privacy.n_at_most = 1 + static_cast<std::int64_t>(below(1'000'000'000'000));
    if (add_remove && flip())
      study.privacy.unit = model::PersonUnit{"id \"of\" person", 1 + static_cast<std::int64_t>(below(50))};
    std::vector<model::Column> columns;
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) columns.push_back(column(i, add_remove));
    study.schema = model::Schema(std::move(columns));
    study.model = model(study.schema);
    const auto nano = static_cast<std::int64_t>(1 + below(std::uint64_t{1} << (1 + below(40))));
    std::vector<Int128> values;
    for (int i = 0; i < 20'000; ++i) values.push_back(value());
    Release out = testing::make_release(study, Spend(study.privacy.currency, nano).text(), std::move(values));
    out.counted_by_caller = flip();
    out.ledger.seq = below(std::uint64_t{1} << 62);
    return out;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return draw_below(bound, rng_); }
  bool flip() { return below(2) == 0; }

  std::string label(std::size_t i) {
    static const std::vector<std::string> odd{"é",          "\"", "\\",   "\n", "\x01", "日本",
                                              "\U0001F600", "/",  "\x7f", "-",  "1/2",  " x "};
    return "l" + odd[below(odd.size())] + std::to_string(i);
  }

  model::Policy policy(std::uint32_t levels, bool may_drop) {
    if (may_drop && flip()) return model::Drop{};
    return model::MapTo{static_cast<std::uint32_t>(below(levels))};
  }

  model::Column column(std::size_t index, bool may_drop) {
    model::Column out;
    out.name = "c" + label(index);
    switch (below(3)) {
      case 0: {
        model::Categories values;
        for (std::size_t i = 0, count = 2 + below(6); i < count; ++i) values.labels.push_back(label(i));
        out.values = values;
        break;
      }
      case 1: {
        const auto lo = static_cast<std::int64_t>(below(1000)) - 500;
        out.values = flip() ? model::IntegerRange{lo, lo + 5, {}}
                            : model::IntegerRange{lo, lo + 900, {lo + 1, lo + 77}};
        break;
      }
      default: {
        const Rational grid =
            Rational(static_cast<long>(1 + below(9))) / Rational(static_cast<long>(1 + below(9)));
        out.values = model::RealRange{grid * -2, grid * 4, grid,
                                      flip() ? std::vector<Rational>{} : std::vector<Rational>{grid}};
      }
    }
    out.missing = policy(out.levels(), may_drop);
    out.outside = policy(out.levels(), may_drop);
    out.missing_declared = flip();
    return out;
  }

  model::Model model(const model::Schema& schema) {
    const model::Column& first = schema.columns().front();
    if (first.levels() == 2 && flip())
      return model::Bernoulli{first.name, static_cast<std::uint32_t>(below(2)), 1, Rational(3, 7)};
    model::Categorical out;
    for (const model::Column& c : schema.columns()) {
      if (out.columns.size() < 3) out.columns.push_back(c.name);
    }
    out.alpha.assign(schema.domain(out.columns).cells(), Rational(1, 2));
    if (flip()) out.alpha.back() = 2;
    return out;
  }

  Int128 value() {
    const Int128 wide =
        (static_cast<Int128>(rng_()) << 64 | static_cast<Int128>(rng_() >> 1)) & ((Int128{1} << 99) - 1);
    const Int128 size = wide >> static_cast<int>(below(100));
    return flip() ? size : -size;
  }

  Rng rng_;
};

TEST(DocumentProperty, WhatIsPrintedIsRead) {
  for (std::uint32_t stream = 0; stream < 200; ++stream) {
    const Release wrote = RandomRelease(stream).make();
    const std::string text = to_document(wrote);
    const Release read = parse_document(text);
    EXPECT_EQ(to_document(read), text);
    EXPECT_EQ(study_document(read.study), study_document(wrote.study));
    ASSERT_EQ(read.blocks.size(), wrote.blocks.size());
    for (std::size_t i = 0; i < read.blocks.size(); ++i) {
      EXPECT_EQ(read.blocks[i].values, wrote.blocks[i].values);
      EXPECT_EQ(read.blocks[i].block.noise.parameter, wrote.blocks[i].block.noise.parameter);
    }
    for (const Check& check : verify(read)) EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
  }
}

}  // namespace
}  // namespace postern::release
