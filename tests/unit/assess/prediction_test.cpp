// Predictions against listing every record under every draw.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/predict.hpp"

#include "discrete_posteriors.hpp"

namespace postern::infer {
namespace {

using Record = std::vector<std::int32_t>;

/// Every record with every set of fields missing.
Rows all_rows() {
  Rows rows{4, {}, {}};
  for (std::int32_t cell = 0; cell < 36; ++cell) {
    const Record x{cell / 18, cell / 6 % 3, cell / 2 % 3, cell % 2};
    for (unsigned missing = 0; missing < 16; ++missing) {
      for (unsigned c = 0; c < 4; ++c) rows.levels.push_back((missing >> c & 1U) != 0 ? -1 : x[c]);
    }
  }
  return rows;
}

/// Joint masses of the target's levels with the fields of a row, under one draw.
std::vector<double> masses(const std::vector<std::pair<Record, double>>& listed,
                           std::span<const std::int32_t> row, std::size_t target) {
  std::vector<double> out(kDiscreteSizes[target]);
  for (const auto& [x, p] : listed) {
    bool agrees = true;
    for (std::size_t c = 0; c < 4; ++c) agrees = agrees && (c == target || row[c] < 0 || row[c] == x[c]);
    if (agrees) out[static_cast<std::size_t>(x[target])] += p;
  }
  return out;
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double next = values[std::min(below + 1, values.size() - 1)];
  return values[below] + (at - static_cast<double>(below)) * (next - values[below]);
}

std::string name_of(std::size_t column) { return std::string(1, "abce"[column]); }

/// Means and intervals of conditional probabilities, draw by draw.
void expect_listed(const char* model, const char* engine, bool means) {
  const Posterior posterior = discrete_posterior(model, 20, engine);
  std::vector<std::vector<std::pair<Record, double>>> listed(40);
  for (std::size_t d = 0; d < 40; ++d)
    list_records(model, posterior, d, [&](const Record& x, double p) { listed[d].emplace_back(x, p); });
  const Rows rows = all_rows();
  for (std::size_t target = 0; target < 4; ++target) {
    const Predictions found = predict(posterior, rows, {name_of(target), 1000, 1}, {});
    ASSERT_EQ(found.draws, 40U);
    ASSERT_EQ(found.rows, rows.size());
    const std::size_t levels = kDiscreteSizes[target];
    for (std::size_t i = 0; i < rows.size(); i += 7) {
      for (std::size_t level = 0; level < levels; ++level) {
        std::vector<double> conditional;
        double joint = 0;
        double whole = 0;
        for (std::size_t d = 0; d < 40; ++d) {
          const std::vector<double> mass = masses(listed[d], rows.row(i), target);
          double all = 0;
          for (const double one : mass) all += one;
          conditional.push_back(mass[level] / all);
          joint += mass[level];
          whole += all;
        }
        double mean = 0;
        for (const double one : conditional) mean += one / 40;
        const std::size_t at = i * levels + level;
        EXPECT_NEAR(found.low[at], quantile(conditional, 0.05), 1e-9) << model << i;
        EXPECT_NEAR(found.high[at], quantile(conditional, 0.95), 1e-9) << model << i;
        EXPECT_NEAR(found.probability[at], means ? mean : joint / whole, means ? 1e-9 : 0.12) << model << i;
      }
    }
  }
}

TEST(Predict, AgreesWithListingForNetworks) { expect_listed(kNetModel, "tables", true); }
TEST(Predict, AgreesWithListingForAStarOfChains) { expect_listed(kStarModel, "tables", true); }
TEST(Predict, AgreesWithListingForTables) { expect_listed(kTableModel, "auto", false); }

/// The exact predictive is the ratio of joint probabilities averaged over the posterior: 40,000 draws of it
/// are near. The class, and a column that is none.
TEST(Predict, IsExactWhereTheEngineIs) {
  const Posterior posterior = discrete_posterior(kStarModel, 20'000);
  ASSERT_EQ(posterior.engine, "exact");
  const Rows rows{4, {0, -1, 2, 1, 1, -1, -1, 0, -1, 2, 1, -1, -1, -1, -1, -1}, {}};
  for (const std::size_t target : {1U, 2U}) {
    const Predictions found = predict(posterior, rows, {name_of(target), 100, 1}, {});
    EXPECT_TRUE(found.exact);
    std::vector<std::vector<double>> sums(rows.size(), std::vector<double>(3));
    for (std::size_t d = 0; d < 40'000; ++d) {
      std::vector<std::pair<Record, double>> listed;
      list_records(kStarModel, posterior, d, [&](const Record& x, double p) { listed.emplace_back(x, p); });
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<double> mass = masses(listed, rows.row(i), target);
        for (std::size_t level = 0; level < 3; ++level) sums[i][level] += mass[level];
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double whole = sums[i][0] + sums[i][1] + sums[i][2];
      for (std::size_t level = 0; level < 3; ++level)
        EXPECT_NEAR(found.probability[i * 3 + level], sums[i][level] / whole, 0.01) << i << ' ' << level;
    }
  }
}

TEST(Predict, TakesTheClassUnlessToldOtherwiseAndJudgesItself) {
  const Posterior posterior = discrete_posterior(kStarModel, 50);
  const Rows rows = read_rows({{"no", "yes", ""}, {"x", std::nullopt, "y, z"}, {"4", "44", "1"}, {}},
                              discrete_study(kStarModel));
  EXPECT_EQ(rows.levels, (std::vector<std::int32_t>{0, 0, 1, -1, 1, -1, 2, -1, -1, 1, 0, -1}));
  const Predictions found = predict(posterior, rows, {}, {});
  EXPECT_EQ(found.target, "b");
  EXPECT_EQ(found.levels, (std::vector<std::string>{"x", "y, z", "z"}));
  EXPECT_EQ(found.judged, 2U);
  EXPECT_NEAR(*found.log_loss, -(std::log(found.probability[0]) + std::log(found.probability[7])) / 2, 1e-12);
  EXPECT_EQ(*found.accuracy, ((found.best(0) == 0 ? 1 : 0) + (found.best(2) == 1 ? 1 : 0)) / 2.0);
  const std::string csv = predictions_csv(found);
  EXPECT_TRUE(csv.starts_with("row,prediction,truth,P(x),q05(x),q95(x),\"P(y, z)\",")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
}

TEST(Predict, NamesWhatTheStudyDoesNotDeclare) {
  const Rows rows =
      read_rows({{"No", "no", "maybe", ""}, {}, {"x", "1", "2", "3"}, {}}, discrete_study(kStarModel));
  ASSERT_EQ(rows.warnings.size(), 2U);
  EXPECT_EQ(rows.warnings[0].name, "rows-undeclared");
  EXPECT_NE(rows.warnings[0].text.find("2 of 4 rows hold in column a"), std::string::npos)
      << rows.warnings[0].text;
  EXPECT_EQ(rows.row(0)[0], -1);
}

ErrorCode refusal(const Posterior& posterior, const char* target) {
  try {
    (void)predict(posterior, all_rows(), {target, 10, 1}, {});
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(Predict, RefusesWhatItWasNotMadeFor) {
  Posterior posterior = discrete_posterior(kTableModel, 10);
  EXPECT_EQ(refusal(posterior, "f"), ErrorCode::bad_option);
  Posterior changed = posterior;
  changed.documents.clear();
  EXPECT_EQ(refusal(changed, "a"), ErrorCode::unsupported);
  changed = posterior;
  changed.releases.front().front() = 'b';
  EXPECT_EQ(refusal(changed, "a"), ErrorCode::input_unreadable);
  changed = posterior;
  changed.names.front() = "theta";
  EXPECT_EQ(refusal(changed, "a"), ErrorCode::input_unreadable);
  changed = posterior;
  changed.draws.front().front() = -1;
  EXPECT_EQ(refusal(changed, "a"), ErrorCode::input_unreadable);
  changed.draws.front().clear();
  EXPECT_EQ(refusal(changed, "a"), ErrorCode::input_unreadable);
}

TEST(Predict, IsTheSameForAnyNumberOfThreads) {
  const Posterior posterior = discrete_posterior(kNetModel, 20, "tables");
  const Predictions one = predict(posterior, all_rows(), {"c", 40, 1}, {});
  const Predictions two = predict(posterior, all_rows(), {"c", 40, 2}, {});
  EXPECT_EQ(one.probability, two.probability);
  EXPECT_EQ(one.low, two.low);
}

}  // namespace
}  // namespace postern::infer
