// The law of a number of records that is private, against every n and every sum one by one.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

struct Law {
  std::vector<double> mass;  ///< of n
  double mean = 0;
  double sd = 0;
};

double log_noise(const std::vector<NoisyValue>& noisy_values, double s) {
  double sum = 0;
  for (const NoisyValue& noisy_value : noisy_values)
    sum += release::log_pmf(noisy_value.law, noisy_value.y - s);
  return sum;
}

/// p(sums | theta, n) for n = 0, 1, ..., most by convolving one record more each time.
std::vector<double> sums_say(const NumberProblem& problem, double theta, std::size_t most) {
  std::vector<double> record;
  model::level_masses(*problem.law, {theta, 0}, problem.number, record);
  const double whole = std::accumulate(record.begin(), record.end(), 0.0);
  std::vector<double> noise(most * (record.size() - 1) + 1);
  for (std::size_t s = 0; s < noise.size(); ++s)
    noise[s] = std::exp(log_noise(problem.sums, static_cast<double>(s)));
  std::vector<double> sum{1.0};
  std::vector<double> out;
  for (std::size_t n = 0; n <= most; ++n) {
    out.push_back(std::inner_product(sum.begin(), sum.end(), noise.begin(), 0.0));
    std::vector<double> next(sum.size() + record.size() - 1, 0.0);
    for (std::size_t s = 0; s < sum.size(); ++s) {
      if (sum[s] < 1e-200) continue;
      for (std::size_t l = 0; l < record.size(); ++l) next[s + l] += sum[s] * record[l] / whole;
    }
    sum = std::move(next);
  }
  return out;
}

/// By the trapezoid rule on the logarithm of theta, a gamma's.
Law summed(const NumberProblem& problem, double lo, double hi) {
  const std::int64_t most = std::get<LatentTotal>(problem.total).at_most;
  constexpr int kSteps = 300;
  Law law;
  law.mass.assign(static_cast<std::size_t>(most) + 1, 0.0);
  for (int k = 0; k <= kSteps; ++k) {
    const double z = std::log(lo) + (std::log(hi) - std::log(lo)) * k / kSteps;
    const double prior = std::exp(problem.prior[0] * z - problem.prior[1] * std::exp(z));
    const std::vector<double> say = sums_say(problem, std::exp(z), law.mass.size() - 1);
    for (std::size_t n = 0; n < say.size(); ++n)
      law.mass[n] += prior * say[n] * std::exp(log_noise(problem.counts, static_cast<double>(n)));
  }
  const double total = std::accumulate(law.mass.begin(), law.mass.end(), 0.0);
  double square = 0;
  for (std::size_t n = 0; n < law.mass.size(); ++n) {
    law.mass[n] /= total;
    law.mean += law.mass[n] * static_cast<double>(n);
    square += law.mass[n] * static_cast<double>(n * n);
  }
  law.sd = std::sqrt(square - law.mean * law.mean);
  return law;
}

struct Case {
  double epsilon;
  std::int64_t most;
  double count, sum;
  bool gaussian;
};

class PrivateTotal : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static NumberProblem problem() {
    const Case& item = GetParam();
    NumberProblem problem =
        number_problem({"poisson", {}, model::IntegerRange{0, 3, {}}, {1.924065, 0.669953, 0, 0}});
    const auto noise = [&](double width) -> release::NoiseLaw {
      if (item.gaussian) return release::DiscreteGaussian(width * width / (item.epsilon * item.epsilon));
      return release::DiscreteLaplace(item.epsilon / width);
    };
    problem.sums = {{item.sum, noise(6)}};
    if (item.count >= 0) problem.counts = {{item.count, noise(2)}};
    problem.total = LatentTotal{item.most, 0};
    return problem;
  }
};

TEST_P(PrivateTotal, HasTheLawOfEveryNumberByItself) {
  const NumberProblem given = problem();
  const Law law = summed(given, 1e-3, 60);
  const NumberPosterior posterior(given, 1);
  EXPECT_NEAR(posterior.total().mean, law.mean, 2e-4 * law.sd);
  EXPECT_NEAR(posterior.total().sd, law.sd, 4e-4 * law.sd);
  double below = 0;
  std::map<double, double> quantile;
  for (std::size_t n = 0; n < law.mass.size(); ++n) {
    for (const double p : {0.05, 0.25, 0.5, 0.75, 0.95}) {
      // Not where a level is reached to the last digits.
      if (below < p - 1e-4 && below + law.mass[n] > p + 1e-4) quantile[p] = static_cast<double>(n);
    }
    below += law.mass[n];
  }
  EXPECT_GE(quantile.size(), 3U);
  for (const auto& [p, n] : quantile) EXPECT_EQ(posterior.total_quantile(p), n) << p;
}

TEST_P(PrivateTotal, IsDrawnFromThatLaw) {
  constexpr int kDraws = 40'000;
  const NumberProblem given = problem();
  const Law law = summed(given, 1e-3, 60);
  const NumberPosterior posterior(given, 1);
  std::vector<double> seen(law.mass.size(), 0.0);
  Rng rng(7, 0, Purpose::test);
  for (int k = 0; k < kDraws; ++k) {
    std::int64_t n = -1;
    posterior.draw({&n, 1}, rng);
    ++seen.at(static_cast<std::size_t>(n));
  }
  double below = 0;
  double drawn = 0;
  double apart = 0;
  for (std::size_t n = 0; n < seen.size(); ++n) {
    below += law.mass[n];
    drawn += seen[n] / kDraws;
    apart = std::max(apart, std::abs(below - drawn));
  }
  EXPECT_LT(apart, 2.70 / std::sqrt(kDraws));  // Kolmogorov, alpha 1e-6
}

INSTANTIATE_TEST_SUITE_P(Noise, PrivateTotal,
                         testing::Values(Case{10, 330, 300, 480, false}, Case{5, 330, 303, 470, false},
                                         Case{0.5, 330, 290, 500, false}, Case{5, 60, -1, 40, false},
                                         Case{5, 330, 303, 470, true}, Case{10, 40, 30, 0, false},
                                         Case{0.3, 40, 38, 60, true}, Case{20, 900, 700, 900, false}));

}  // namespace
}  // namespace postern::infer
