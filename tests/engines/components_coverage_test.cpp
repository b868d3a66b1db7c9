// Do intervals of principal components, under the prior that a study gets unless it states one, hold what is
// true of data that no prior made?
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/draw.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer {
namespace {

/// Columns of -4..4 that have standard deviation `sd`, every two of them the same correlation.
struct Cell {
  int columns;
  std::int64_t n;
  std::int64_t nano_rho;
  double correlation;
  double sd = 1;
  double mean = 0;
};

double first_share(const Cell& cell) { return (1 + (cell.columns - 1) * cell.correlation) / cell.columns; }

model::Study study_of(const Cell& cell) {
  std::string text =
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\ncurrency = \"zcdp\"\nadjacency = "
      "\"replace-one\"\n";
  std::string names;
  for (int c = 0; c < cell.columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    text += "[columns." + name + "]\nreal = [\"-4\", \"4\"]\ngrid = \"0.0625\"\n";
    names += (c == 0 ? "\"" : ", \"") + name + "\"";
  }
  return model::parse_study(text + "[model]\nkind = \"principal-component\"\ncolumns = [" + names + "]\n",
                            "s.toml");
}

release::Release made(const Cell& cell, std::uint32_t stream) {
  const model::Study study = study_of(cell);
  Rng rng(20261118, stream, Purpose::test);
  const auto plan =
      model::make_noise_plan(study, model::Mechanism::gaussian, Spend{Currency::zcdp, cell.nano_rho});
  release::Release out = assess::simulate_study(study, plan, 1, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, 'a');
  out.n = release::PublicCount{cell.n};
  std::vector<std::unique_ptr<model::Tally>> tallies;
  for (const auto& measured : out.blocks)
    tallies.push_back(measured.block.statistic.kind().tally(measured.block.statistic, study.schema));
  const std::vector<std::string> columns = model::columns_of(study.model);
  std::vector<std::uint32_t> levels(columns.size());
  for (std::int64_t r = 0; r < cell.n; ++r) {
    const double common = std::sqrt(cell.correlation) * draw_normal(rng);
    for (std::uint32_t& level : levels) {
      const double x = cell.mean + cell.sd * (common + std::sqrt(1 - cell.correlation) * draw_normal(rng));
      level = static_cast<std::uint32_t>(std::lround(16 * (std::clamp(x, -4.0, 4.0) + 4)));
    }
    for (std::size_t b = 0; b < tallies.size(); ++b) {
      std::vector<std::uint32_t> own;
      const model::Statistic& statistic = out.blocks[b].block.statistic;
      for (const std::string& name : statistic.kind().columns(statistic))
        own.push_back(levels[static_cast<std::size_t>(std::stoi(name.substr(1)))]);
      tallies[b]->add(own, 1);
    }
  }
  for (std::size_t b = 0; b < tallies.size(); ++b) {
    const release::NoiseLaw law = release::noise_law(out.blocks[b].block.noise);
    out.blocks[b].values = tallies[b]->values();
    for (Int128& value : out.blocks[b].values) value += release::simulate(law, rng);
  }
  return out;
}

/// How many 90 % intervals of the first share hold it.
int held(const Cell& cell, int studies) {
  int count = 0;
  for (int s = 0; s < studies; ++s) {
    InferOptions options;
    options.chains = 2;
    options.draws = 200;
    const Posterior posterior = infer(std::vector{made(cell, static_cast<std::uint32_t>(s))}, options, {});
    const SummaryRow& share = posterior.summary.front();
    count += share.q05 <= first_share(cell) && first_share(cell) <= share.q95 ? 1 : 0;
  }
  return count;
}

/// Of six at 0.9, two or fewer turn up once in 700 times; with a prior of equal shares it was none.
TEST(ComponentsCoverage, HoldsTheFirstShareOfCorrelatedColumns) {
  EXPECT_GE(held({3, 500, 1'000'000'000, 0.9}, 6), 3);
  EXPECT_GE(held({9, 2000, 1'000'000'000, 0.9}, 6), 3);
}

TEST(LongComponentsCoverage, HoldsTheFirstShare) {
  for (const Cell& cell : std::vector<Cell>{{3, 500, 1'000'000'000, 0.9},
                                            {3, 500, 100'000'000, 0.9},
                                            {3, 2000, 1'000'000'000, 0.3},
                                            {3, 500, 1'000'000'000, 0.9, 1, 1.5},
                                            {9, 2000, 1'000'000'000, 0.9},
                                            {9, 20'000, 1'000'000'000, 0.9},
                                            {9, 2000, 1'000'000'000, 0.3},
                                            {9, 2000, 1'000'000'000, 0.9, 1, 1.5},
                                            {9, 2000, 1'000'000'000, 0.9, 0.4},
                                            {14, 20'000, 1'000'000'000, 0.8}}) {
    const int count = held(cell, 40);
    EXPECT_GE(count, 29) << cell.columns << " columns, " << cell.n << " records, correlation "
                         << cell.correlation;
  }
}

}  // namespace
}  // namespace postern::infer
