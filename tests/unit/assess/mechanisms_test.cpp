// What `plan` compares: the ways in which a network can be released, on counts that are made up.

#include "postern/assess/mechanisms.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "network_studies.hpp"

namespace postern::assess {
namespace {

using model::Mechanism;

CompareOptions with_n(std::int64_t n) {
  CompareOptions options;
  options.n = n;
  return options;
}

const MechanismOutlook& row_of(const MechanismComparison& comparison, Mechanism mechanism) {
  for (const MechanismOutlook& row : comparison.rows) {
    if (row.mechanism == mechanism) return row;
  }
  throw Error(ErrorCode::internal, {"no such row"});
}

TEST(Mechanisms, ComparesAllThatANetworkCanBeReleasedBy) {
  const model::Study study = model::naive_study(4, 2);
  const auto comparison = compare_mechanisms(study, {"1", {}, {}, {}}, with_n(500), {});
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->rows.size(), 4U);
  EXPECT_EQ(comparison->rows.front().mechanism, Mechanism::laplace);
  EXPECT_GT(comparison->without_noise, 0);
  for (const MechanismOutlook& row : comparison->rows) {
    EXPECT_EQ(row.refused, "");
    EXPECT_GT(row.loss, 0) << to_text(row.mechanism);
    EXPECT_LE(row.cost.exact(), 1);
  }
  // A draw at epsilon 1 is confined to about a half; noise on 500 records is not that bad.
  EXPECT_GT(row_of(*comparison, Mechanism::posterior_draw).loss,
            10 * row_of(*comparison, Mechanism::laplace).loss);
  EXPECT_TRUE(comparison->recommended == Mechanism::laplace || comparison->recommended == Mechanism::fourier);
  EXPECT_NE(comparison->reason, "");
}

TEST(Mechanisms, StatesTheBoundsOfTheTheory) {
  // 17 noised cells (the class is one count) at rate 1/9: 9 ln(2 / ((1 + e^(-1/9)) p)) = 52.7, p = 1 -
  // .95^(1/17).
  const model::Study study = model::naive_study(4, 2);
  const auto comparison = compare_mechanisms(study, {"1", {}, {}, {}}, with_n(500), {});
  ASSERT_TRUE(comparison);
  const MechanismOutlook& laplace = row_of(*comparison, Mechanism::laplace);
  ASSERT_TRUE(laplace.limit);
  EXPECT_EQ(*laplace.limit, 52);
  EXPECT_NE(laplace.bound.find("no count is off by more than 52"), std::string::npos);
  EXPECT_NE(laplace.bound.find(" nats"), std::string::npos);
  EXPECT_TRUE(row_of(*comparison, Mechanism::fourier).limit);
  // The default prior is not log-concave: no theorem bounds the mode then.
  EXPECT_FALSE(row_of(*comparison, Mechanism::map).limit);
  const model::Study flat =
      model::network_study({2, 2}, {{}, {0}}, model::Adjacency::replace_one, Currency::pure, Rational(1));
  EXPECT_TRUE(row_of(*compare_mechanisms(flat, {"1", {}, {}, {}}, with_n(100), {}), Mechanism::map).limit);
}

TEST(Mechanisms, TakesGaussianNoiseAndPrivateN) {
  const model::Study study =
      model::network_study({2, 3, 2}, {{}, {0}, {0, 1}}, model::Adjacency::add_remove, Currency::zcdp);
  const auto comparison = compare_mechanisms(study, {{}, "0.5", {}, {}}, {}, {});
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->rows.front().mechanism, Mechanism::gaussian);
  EXPECT_FALSE(row_of(*comparison, Mechanism::fourier).limit);
}

TEST(Mechanisms, LoseLessAtALargerBudgetAndTheSameForAnyThreads) {
  const model::Study study = model::naive_study(3, 2);
  const auto little = compare_mechanisms(study, {"0.2", {}, {}, {}}, with_n(300), {});
  CompareOptions alone = with_n(300);
  alone.threads = 1;
  const auto much = compare_mechanisms(study, {"20", {}, {}, {}}, alone, {});
  const auto again = compare_mechanisms(study, {"20", {}, {}, {}}, with_n(300), {});
  for (std::size_t r = 0; r < much->rows.size(); ++r) {
    EXPECT_LT(much->rows[r].loss, little->rows[r].loss);
    EXPECT_EQ(much->rows[r].loss, again->rows[r].loss);
  }
}

TEST(Mechanisms, SaysWhatCannotBeReleasedSo) {
  // Choices take columns of at most 64 levels.
  const model::Study study = model::network_study({70, 2}, {{}, {0}});
  const auto comparison = compare_mechanisms(study, {"1", {}, {}, {}}, with_n(1000), {});
  ASSERT_TRUE(comparison);
  EXPECT_NE(row_of(*comparison, Mechanism::posterior_draw).refused, "");
  EXPECT_EQ(row_of(*comparison, Mechanism::laplace).refused, "");
}

TEST(Mechanisms, NeedsANetworkAndANumberOfRecords) {
  EXPECT_FALSE(compare_mechanisms(model::naive_study(2, 2), {"1", {}, {}, {}}, {}, {}));
  EXPECT_FALSE(compare_mechanisms(model::small_study({}), {"1", {}, {}, {}}, with_n(100), {}));
  EXPECT_THROW(
      static_cast<void>(compare_mechanisms(model::naive_study(2, 2), {"0", {}, {}, {}}, with_n(10), {})),
      Error);
}

}  // namespace
}  // namespace postern::assess
