#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "bootstrap.hpp"
#include "oracles.hpp"
#include "ranks.hpp"
#include "redacted.hpp"
#include "trial.hpp"

// Oracle exponential_studies: ranks of theta over studies of exponential records, with bounds from the prior
// and from the truth, epsilon from 0.01 to 1. The methods are those of the experiment; beside them stands
// `joint`, the library's exact engine put to redacted records. That engine takes 40 ms a study, so it is
// asked at length only; the prototype's samplers have the same law up to a normal approximation.

namespace postern::bs18 {
namespace {

struct Ranks {
  std::vector<double> nonprivate, naive, paper, clamp, joint;
};

double joint_rank(const Setting& setting, std::uint32_t index) {
  Rng rng(20261117, index, Purpose::test);
  const double theta = draw_gamma(8, rng) / 2;
  const Redacted redacted(setting.bounds == BoundsFrom::truth ? true_middle(theta) : predicted_middle());
  const Bounds& bounds = redacted.bounds();
  double kept = 0;
  for (std::size_t i = 0; i < setting.n; ++i) {
    const double x = draw_exponential(rng) / theta;
    if (x >= bounds.a && x <= bounds.b) kept += x;
  }
  const double scale = bounds.b / setting.epsilon;
  const infer::NumberPosterior posterior(redacted.seen(setting.n, kept + draw_laplace(scale, rng), scale), 1);
  return posterior.cdf(theta);
}

Ranks run_studies(const Setting& setting, std::size_t studies, bool exact) {
  Effort effort;
  effort.chain = {500, 2000};
  effort.exact_number_trials = exact ? studies : 0;
  Ranks out;
  out.joint.resize(exact ? studies : 0);
  std::vector<std::vector<Grade>> grades(studies);
  parallel_for(studies, 0, [&](std::size_t i) {
    grades[i] = run_trial(setting, effort, 20261117, i);
    if (exact) out.joint[i] = joint_rank(setting, static_cast<std::uint32_t>(i));
  });
  for (const auto& trial : grades) {
    for (const Grade& grade : trial) {
      if (grade.method == Method::nonprivate) out.nonprivate.push_back(grade.u);
      if (grade.method == Method::naive) out.naive.push_back(grade.u);
      if (grade.method == Method::paper_alg2) out.paper.push_back(grade.u);
      if (grade.method == Method::exact) out.clamp.push_back(grade.u);
    }
  }
  return out;
}

double distance(const std::vector<double>& ranks) { return assess::ks_uniform(ranks); }

class ExponentialStudies : public testing::TestWithParam<std::size_t> {
 protected:
  static void compare(std::size_t studies, bool exact) {
    const nlohmann::json test = oracle("exponential_studies").at(GetParam());
    Setting setting{Model::exponential, {8, 2}, BoundsFrom::prior, test.at("n"), test.at("eps"), 0};
    if (test.at("bounds") == "truth") setting.bounds = BoundsFrom::truth;
    const Ranks found = run_studies(setting, studies, exact);
    const auto expect_same = [&](const char* name, const std::vector<double>& u) {
      const nlohmann::json theirs = test.at("ks").at(name);
      const double reach = 4 * std::hypot(standard_error(u, distance), theirs[1].get<double>());
      EXPECT_NEAR(distance(u), theirs[0].get<double>(), reach) << name << " of " << test;
    };
    expect_same("nonpriv", found.nonprivate);
    expect_same("naive", found.naive);
    expect_same("paper", found.paper);
    const double bar = 2.70 / std::sqrt(static_cast<double>(studies));  // alpha = 1e-6
    EXPECT_LT(distance(found.nonprivate), bar) << test;
    if (!exact) return;
    expect_same("clamp", found.clamp);
    expect_same("joint", found.joint);
    // With bounds from the truth the release says more than the models know, and nothing need be calibrated.
    if (setting.bounds == BoundsFrom::prior) {
      EXPECT_LT(distance(found.clamp), bar) << test;
      EXPECT_LT(distance(found.joint), bar) << test;
    }
  }
};

TEST_P(ExponentialStudies, AreThePrototypes) { compare(200, false); }

// Bounds from the truth, and epsilon 1; all the others at length.
INSTANTIATE_TEST_SUITE_P(All, ExponentialStudies, testing::Range<std::size_t>(6, 15));

class LongExponentialStudies : public ExponentialStudies {};
TEST_P(LongExponentialStudies, AreThePrototypes) { compare(1000, true); }
INSTANTIATE_TEST_SUITE_P(Long, LongExponentialStudies, testing::Range<std::size_t>(0, 15));

}  // namespace
}  // namespace postern::bs18
