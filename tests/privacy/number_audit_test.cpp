#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "postern/model/encoded_number.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/owner/source.hpp"

#include "audit_kit.hpp"
#include "number_laws.hpp"

// Audits of every family of numbers: CSV file -> levels -> sums -> gate, on files that differ in one record
// at the ends of the range, at the worst pair of levels, outside, or unreadable. alpha = 1e-6 an audit, N
// as in gate_audit_test.cpp.

namespace postern::owner {
namespace {

using model::Adjacency;

constexpr double kAlpha = 1e-6;
constexpr std::size_t kPasses = 40;
constexpr std::size_t kCopies = 200;

/// The statistics of made-up records, read as the owner reads them.
class Reader {
 public:
  explicit Reader(const model::Study& study) : study_(study), path_(testing::TempDir() + "numbers-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { std::filesystem::remove_all(path_); }
  [[nodiscard]] Measured read(const std::vector<std::string>& records,
                              const model::Measurement& measurement) const {
    std::string text = "x\n";
    for (const std::string& record : records) text += "\"" + record + "\"\n";
    const std::string file = path_ + "/records.csv";
    std::ofstream(file, std::ios::binary) << text;
    return open_csv(file, study_, 1)(measurement);
  }

 private:
  const model::Study& study_;
  std::string path_;
};

/// The worst pair of levels, by the definition of what a change costs.
std::pair<std::uint32_t, std::uint32_t> worst_pair(const model::Study& study, const model::NoisePlan& plan) {
  const bool squared = study.privacy.currency == Currency::zcdp;
  const std::uint32_t levels = study.schema.at("x").levels();
  std::vector<std::pair<std::vector<std::int64_t>, double>> sums;
  for (const model::Block& block : plan.measurement.blocks) {
    if (const auto* sum = block.statistic.as<model::LevelSum>()) {
      const double p = block.noise.parameter.get_d();
      sums.emplace_back(model::level_terms(*sum, study.schema), squared ? 1 / p : p);
    }
  }
  std::pair<std::uint32_t, std::uint32_t> found{0, levels - 1};
  double most = 0;
  for (std::uint32_t a = 0; a < levels; ++a) {
    for (std::uint32_t b = 0; b < levels; ++b) {
      double price = 0;
      for (const auto& [terms, weight] : sums) {
        const auto change = static_cast<double>(std::abs(terms[b] - terms[a]));
        price += weight * (squared ? change * change : change);
      }
      if (price <= most * (1 + 1e-9)) continue;
      most = price;
      found = {a, b};
    }
  }
  return found;
}

struct Replaced {
  std::string what, before, after;  ///< before "-": the record joins
};

std::vector<Replaced> record_changes(const model::Study& study, const model::NoisePlan& plan) {
  const model::Column& column = study.schema.at("x");
  const std::string lo = column.label(0);
  const std::string hi = column.label(column.levels() - 1);
  if (study.privacy.adjacency == Adjacency::add_remove) {
    return {{"first level joins", "-", lo},    {"last level joins", "-", hi},
            {"far above joins", "-", "1e300"}, {"far below joins", "-", "-inf"},
            {"missing joins", "-", ""},        {"not a number joins", "-", "abc"}};
  }
  const auto [a, b] = worst_pair(study, plan);
  return {{"ends", lo, hi},
          {"worst levels", column.label(a), column.label(b)},
          {"far outside", "-1e300", "1e300"},
          {"missing to above", "", "inf"},
          {"not a number to below", "abc", "-99999999999999999999"}};
}

/// Neighbours that differ in one record beside a few others, or alone.
Neighbours neighbours(const Replaced& change, const Reader& reader, const model::NoisePlan& plan,
                      const std::vector<std::string>& others) {
  std::vector<std::string> before = others;
  std::vector<std::string> after = others;
  if (change.before != "-") before.push_back(change.before);
  after.push_back(change.after);
  const Measured d = reader.read(before, plan.measurement);
  const Measured neighbour = reader.read(after, plan.measurement);
  return {change.what, d.n, neighbour.n, d.blocks, neighbour.blocks};
}

void audit(const model::Study& study, const model::NoisePlan& plan) {
  const Reader reader(study);
  const model::Column& column = study.schema.at("x");
  const std::vector<std::string> crowd(30, column.label(column.levels() / 2));
  Entropy entropy;
  std::set<std::vector<std::vector<Int128>>> seen;  // clamped values give the neighbours of the ends again
  for (const Replaced& change : record_changes(study, plan)) {
    const bool alone = change.what == "last level joins" || change.what == "ends";
    const Neighbours pair = neighbours(change, reader, plan, alone ? std::vector<std::string>{} : crowd);
    std::vector<std::vector<Int128>> moves = pair.neighbour_blocks;
    for (std::size_t b = 0; b < moves.size(); ++b) {
      for (std::size_t j = 0; j < moves[b].size(); ++j) moves[b][j] -= pair.blocks[b][j];
    }
    if (!seen.insert(moves).second) continue;
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, kPasses, kCopies, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, kPasses, kCopies, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, study.privacy.currency, kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d()) << change.what;
    }
  }
  EXPECT_GE(seen.size(), 2u);
}

model::NumberRange range_for(const model::NumberFamily& family) {
  if (family.whole) return {0, 6};
  if (family.non_negative) return {Rational(1, 2), 4, Rational(1, 2)};
  return {-3, 3, Rational(1, 2)};
}

struct Setting {
  const model::NumberFamily* family;
  Adjacency adjacency;
  Currency currency;
};

class NumberAudit : public testing::TestWithParam<Setting> {};

// epsilon 1, or rho 1/2.
TEST_P(NumberAudit, ShowsNoMoreThanTheClaim) {
  const auto& [family, adjacency, currency] = GetParam();
  const model::Study study = model::number_study(*family, {range_for(*family), adjacency, currency});
  const Spend budget = Spend::parse(currency, currency == Currency::pure ? "1" : "0.5");
  audit(study, model::make_noise_plan(study, model::default_mechanism(study), budget));
}

std::vector<Setting> settings() {
  std::vector<Setting> out;
  for (const model::NumberFamily& family : model::number_families()) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp})
        out.push_back({&family, adjacency, currency});
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, NumberAudit, testing::ValuesIn(settings()), [](const auto& one) {
  const Setting& setting = one.param;
  return model::test_name(setting.family->name) + "_" + model::test_name(to_text(setting.adjacency)) + "_" +
         std::string(to_text(setting.currency));
});

// Plans of other shares than ours: cost() must be right for any noise, not only where errors cancel.

model::NoisePlan plan_of(const model::Study& study, std::vector<model::Block> blocks) {
  model::NoisePlan plan;
  plan.measurement.blocks = std::move(blocks);
  plan.cost = Spend::ceil(Currency::pure, cost(plan.measurement, study.schema, study.privacy));
  return plan;
}
model::Block laplace(model::Statistic statistic, const Rational& lambda) {
  return {std::move(statistic), {model::NoiseKind::discrete_laplace, lambda}, 1};
}

TEST(NumberAuditOfAnyNoise, ANumberAndItsSquare) {
  const model::Study study = model::number_study(*model::find_number_family("normal"),
                                                 {{-3, 3, Rational(1, 2)}, Adjacency::replace_one});
  model::LevelSum squares{"x", {}};
  squares.power = 2;
  // Mostly for the squares, which do not change between the ends -3 and 3.
  const model::NoisePlan plan =
      plan_of(study, {laplace(model::LevelSum{"x", {}}, Rational(1, 24)), laplace(squares, Rational(1, 36))});
  audit(study, plan);
}

TEST(NumberAuditOfAnyNoise, AMirroredSum) {
  const model::Study study =
      model::number_study(*model::find_number_family("binomial"), {{0, 6}, Adjacency::add_remove});
  model::LevelSum mirrored{"x", {}};
  mirrored.mirrored = true;
  audit(study, plan_of(study, {laplace(model::LevelSum{"x", {}}, Rational(1, 18)),
                               laplace(mirrored, Rational(1, 6))}));
}

TEST(NumberAuditOfAnyNoise, ADearCount) {
  const model::Study study =
      model::number_study(*model::find_number_family("poisson"), {{0, 6}, Adjacency::add_remove});
  audit(study, plan_of(study, {laplace(model::LevelSum{"x", {}}, Rational(1, 12)),
                               laplace(model::RecordCount{}, Rational(3, 2))}));
}

// A dear count of the records inside, clamped and mapped; one of its neighbours has a record inside in place
// of one at an end.
TEST(NumberAuditOfAnyNoise, RecordsInside) {
  model::LevelSum inside{"x", {}};
  inside.power = 0;
  for (const model::Policy& outside : {model::Policy(model::Clamp{}), model::Policy(model::MapTo{2})}) {
    model::Study study =
        model::number_study(*model::find_number_family("poisson"), {{0, 6}, Adjacency::replace_one});
    model::Column column = study.schema.at("x");
    column.outside = outside;
    study.schema = model::Schema({column});
    audit(study, plan_of(study, {laplace(model::LevelSum{"x", {}}, Rational(1, 12)),
                                 laplace(inside, Rational(3, 2))}));
  }
}

}  // namespace
}  // namespace postern::owner
