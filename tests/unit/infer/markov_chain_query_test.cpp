// Questions about a Markov chain, against paths that are listed one by one.

#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/query.hpp"

#include "chain_studies.hpp"

namespace postern::infer {
namespace {

using Row = std::array<double, 3>;
constexpr Row kFirst{0.5, 0.3, 0.2};
constexpr std::array<Row, 3> kMatrix{{{0.7, 0.2, 0.1}, {0.3, 0.3, 0.4}, {0.05, 0.15, 0.8}}};

/// One chain of one draw, at these parameters.
Posterior at_the_truth(const model::Study& study) {
  Posterior out;
  for (const model::Parameter& one : study.model.kind().parameters(study)) {
    out.names.push_back(one.name);
    out.labels.push_back(one.label);
  }
  out.chains = 1;
  out.iterations = 1;
  out.draws.emplace_back(kFirst.begin(), kFirst.end());
  for (const Row& row : kMatrix) out.draws[0].insert(out.draws[0].end(), row.begin(), row.end());
  return out;
}

double answer(const std::string& text) {
  const model::Study study = model::chain_study({.states = 3, .last_time = 9});
  Posterior posterior = at_the_truth(study);
  answer_query(parse_query(text, study), 1, study, posterior);
  return posterior.draws[0].back();
}

/// The probability of all paths of four states for which `holds`.
template <class Holds>
double listed(const Holds& holds) {
  double sum = 0;
  for (std::size_t path = 0; path < 81; ++path) {
    const std::array<std::size_t, 4> x{path % 3, path / 3 % 3, path / 9 % 3, path / 27};
    double p = kFirst.at(x[0]);
    for (std::size_t t = 1; t < x.size(); ++t) p *= kMatrix.at(x.at(t - 1)).at(x.at(t));
    if (holds(x)) sum += p;
  }
  return sum;
}

TEST(MarkovChainQuery, TheLabelsOfParametersAreQuestions) {
  const model::Study study = model::chain_study({.states = 3, .last_time = 9});
  const Posterior posterior = at_the_truth(study);
  for (std::size_t q = 0; q < posterior.names.size(); ++q)
    EXPECT_NEAR(answer(posterior.labels[q]), posterior.draws[0][q], 1e-15) << posterior.labels[q];
}

TEST(MarkovChainQuery, StatesAfterSomeStepsAreSumsOverPaths) {
  EXPECT_NEAR(answer("P(x after 3 = c2)"), listed([](const auto& x) { return x[3] == 2; }), 1e-15);
  EXPECT_NEAR(answer("P(x after 2 in {c0, c2} | x = c1)"),
              listed([](const auto& x) { return x[0] == 1 && x[2] != 1; }) / kFirst[1], 1e-15);
  EXPECT_NEAR(answer("P(x after 3 = c0 | x after 2 = c1)"), kMatrix[1][0], 1e-15);
  EXPECT_NEAR(answer("P(first x = c0 | x after 3 = c2)"),
              listed([](const auto& x) { return x[0] == 0 && x[3] == 2; }) /
                  listed([](const auto& x) { return x[3] == 2; }),
              1e-15);
}

TEST(MarkovChainQuery, PathsAreProducts) {
  EXPECT_NEAR(answer("P(next x = c1, x after 2 != c1, x after 3 = c2 | x = c0)"),
              0.2 * (0.3 * 0.1 + 0.4 * 0.8), 1e-15);
  EXPECT_NEAR(answer("P(next x = c1 | x = c0) - P(next x = c1 | x = c2)"), 0.05, 1e-15);
  EXPECT_EQ(answer("P(x = c0, first x = c1)"), 0);
}

TEST(MarkovChainQuery, TheLongRunIsWhatManyStepsComeTo) {
  EXPECT_NEAR(answer("P(long-run x = c2)"), answer("P(x after 1000 = c2)"), 1e-13);
  EXPECT_NEAR(answer("P(long-run x in {c0, c1}) + P(long-run x = c2)"), 1, 1e-15);
}

TEST(MarkovChainQuery, ExpectedStepsAreSummedOverTimesNotYetArrived) {
  Row away{1, 0, 0};  // from the first state, before it is at the third
  double expected = 0;
  for (int t = 0; t < 2000; ++t) {
    expected += away[0] + away[1];
    away = {away[0] * 0.7 + away[1] * 0.3, away[0] * 0.2 + away[1] * 0.3, 0};
  }
  EXPECT_NEAR(answer("E(steps to x = c2 | x = c0)"), expected, 1e-12);
  EXPECT_NEAR(answer("E(steps to x in {c1, c2} | x = c0)"), 1 / 0.3, 1e-12);
  EXPECT_EQ(answer("E(steps to x = c2 | x = c2)"), 0);
  const double mixed =
      0.5 * answer("E(steps to x = c2 | x = c0)") + 0.3 * answer("E(steps to x = c2 | x = c1)");
  EXPECT_NEAR(answer("E(steps to x = c2)"), mixed, 1e-12);
}

TEST(MarkovChainQuery, RefusesWhatAChainHasNot) {
  EXPECT_THROW((void)answer("P(t = 3)"), Error);
  EXPECT_THROW((void)answer("P(x after 1001 = c0)"), Error);
  EXPECT_THROW((void)answer("P(x after -1 = c0)"), Error);
  EXPECT_THROW((void)answer("P(x after 2b = c0)"), Error);
  EXPECT_THROW((void)answer("E(steps to next x = c0)"), Error);
  EXPECT_THROW((void)answer("E(x = c0)"), Error);
  const model::Study table = model::small_study({});
  EXPECT_THROW((void)parse_query("E(steps to x = c0)", table), Error);
}

}  // namespace
}  // namespace postern::infer
