#include <random>

#include <gtest/gtest.h>

#include "postern/owner/measure.hpp"

#include "regression_studies.hpp"

// Sums of products of a regression's columns: the fast way equals the definition.

namespace postern::owner {
namespace {

struct Sample {
  model::Study study;
  std::vector<std::vector<std::uint32_t>> codes;  ///< column by column
  Records records;
};

Sample make_sample(const model::RegressionShape& shape, std::size_t rows, bool at_the_end) {
  std::mt19937_64 random(11);
  Sample sample{model::regression_study(shape, model::Adjacency::add_remove, Currency::pure),
                {},
                Records({}, {}, {}, rows)};
  std::vector<std::string> names;
  std::vector<std::uint32_t> levels;
  std::vector<CodedColumn> columns;
  for (const model::Column& column : sample.study.schema.columns()) {
    names.push_back(column.name);
    levels.push_back(column.levels());
    std::vector<std::uint32_t>& plain = sample.codes.emplace_back(rows);
    for (auto& code : plain)
      code = at_the_end ? levels.back() - 1 : static_cast<std::uint32_t>(random() % levels.back());
    columns.push_back(make_coded_column(levels.back()));
    std::visit(
        [&](auto& out) {
          using Level = typename std::decay_t<decltype(out)>::value_type;
          for (const std::uint32_t code : plain) out.push_back(static_cast<Level>(code));
        },
        columns.back());
  }
  sample.records = Records(names, levels, std::move(columns), rows);
  return sample;
}

std::vector<std::vector<Int128>> by_definition(const Sample& sample, const model::Measurement& measurement) {
  std::vector<std::vector<Int128>> out;
  std::vector<std::uint32_t> record(sample.codes.size());
  for (const model::Block& block : measurement.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, sample.study.schema);
    const bool all = !block.statistic.kind().columns(block.statistic).empty();
    for (std::size_t row = 0; row < sample.records.rows(); ++row) {
      for (std::size_t c = 0; c < record.size(); ++c) record[c] = sample.codes[c][row];
      tally->add(std::span(record).first(all ? record.size() : 0), 1);
    }
    out.push_back(tally->values());
  }
  return out;
}

void expect_definition(const Sample& sample) {
  const model::Measurement measurement = model::regression_plan(sample.study, "1").measurement;
  const auto truth = by_definition(sample, measurement);
  for (const int threads : {1, 3})
    EXPECT_EQ(measure(sample.records, sample.study.schema, measurement, threads), truth);
}

// Columns of one, two and four bytes; numbers before and after categories; rows that fill no block.
TEST(Moments, EqualTheirDefinition) {
  expect_definition(make_sample({{2, 300, 70'001, 74}, {9, 200, 2}, 99, 1024, true}, 5'003, false));
  expect_definition(make_sample({{2, 300}, {9}, 99, 1024, false}, 1'024, false));
  expect_definition(make_sample({{}, {3, 4}, 5, 2, true}, 7, false));
  expect_definition(make_sample({{4}, {}, 5, 2, true}, 0, false));
}

// Where sums of a block are largest, of coarse and of the finest steps.
TEST(Moments, DoNotOverflow) {
  expect_definition(make_sample({{100, 100}, {3}, 99, 1024, true}, 200'000, true));
  expect_definition(make_sample({{100, 100}, {3}, 99, 16'384, true}, 200'000, true));
}

}  // namespace
}  // namespace postern::owner
