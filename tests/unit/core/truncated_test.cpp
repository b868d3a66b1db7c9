#include "postern/core/truncated.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"

#include "test_data.hpp"
#include "truncated_values.hpp"

namespace postern {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_close(double got, double want, double tolerance, const char* what) {
  EXPECT_LE(std::abs(got - want), tolerance * std::abs(want)) << what << ": got " << got << ", want " << want;
}

void expect_moments(const SegmentMoments& got, double log_mass, double mean, double variance,
                    double tolerance) {
  // A relative error of the mass is an absolute error of its logarithm; one far below 1 is allowed the
  // rounding of the logarithm itself.
  EXPECT_LE(std::abs(got.log_mass - log_mass), tolerance * std::max(1.0, std::abs(log_mass)))
      << "log mass: got " << got.log_mass << ", want " << log_mass;
  // A mean near 0 between far ends is only known to the rounding of the law's own scale.
  EXPECT_LE(std::abs(got.mean - mean), tolerance * std::max(std::abs(mean), std::sqrt(variance)))
      << "mean: got " << got.mean << ", want " << mean;
  expect_close(got.variance, variance, tolerance, "variance");
}

SegmentMoments first_two(const NormalSegmentMoments& all) { return {all.log_mass, all.mean, all.variance}; }

double number(std::istream& in) {
  std::string word;
  in >> word;
  return std::strtod(word.c_str(), nullptr);  // the log of a mass near 1 may underflow to 0
}

std::vector<std::string> reference_lines() {
  std::ifstream in(test_data("truncated/values.txt"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

SegmentMoments compute(const std::string& law, std::istream& in) {
  const double first = number(in);
  const bool two = law == "gamma" || law == "negative_binomial";
  const double second = two ? number(in) : 0;
  const double from = number(in);
  const Segment segment{from, number(in)};
  if (law == "exponential") return truncated_exponential(first, segment);
  if (law == "gamma") return truncated_gamma(first, second, segment);
  if (law == "poisson") return truncated_poisson(first, segment);
  if (law == "geometric") return truncated_geometric(first, segment);
  return truncated_negative_binomial(first, second, segment);
}

void expect_normal(std::istream& in) {
  const double mean = number(in);
  const double deviation = number(in);
  const double from = number(in);
  const double to = number(in);
  const NormalSegmentMoments got = truncated_normal(mean, deviation, {from, to});
  double want[5];
  for (double& value : want) value = number(in);
  expect_moments(first_two(got), want[0], want[1], want[2], 1e-12);
  // Where the segment is symmetric about 0 the covariance vanishes: allow rounding of its scale.
  EXPECT_LE(std::abs(got.covariance - want[3]), 1e-12 * std::sqrt(want[2] * want[4]));
  expect_close(got.square_variance, want[4], 1e-12, "variance of the square");
  expect_close(got.mean_square, want[1] * want[1] + want[2], 1e-12, "mean of the square");
}

TEST(Truncated, ReferenceValues) {
  const std::vector<std::string> lines = reference_lines();
  ASSERT_GT(lines.size(), 150U);
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    std::istringstream in(line);
    std::string law;
    in >> law;
    if (law == "normal") {
      expect_normal(in);
      continue;
    }
    const SegmentMoments got = compute(law, in);
    const double log_mass = number(in);
    const double mean = number(in);
    expect_moments(got, log_mass, mean, number(in), 1e-12);
  }
}

TEST(Truncated, OracleOfTheSpecification) {
  for (const auto& [rate, from, to, mass, mean, variance] : values::kTruncatedExponential) {
    expect_moments(truncated_exponential(rate, {from, to}), std::log(mass), mean, variance, 1e-12);
    expect_moments(truncated_gamma(1, rate, {from, to}), std::log(mass), mean, variance, 1e-12);
  }
  for (const auto& [rate, from, to, mass, mean, variance] : values::kTruncatedPoisson) {
    expect_moments(truncated_poisson(rate, {from, to}), std::log(mass), mean, variance, 1e-12);
  }
  for (const auto& [theta, from, to, mass, mean, variance] : values::kTruncatedGeometric) {
    expect_moments(truncated_geometric(theta, {from, to}), std::log(mass), mean, variance, 1e-12);
    expect_moments(truncated_negative_binomial(1, theta, {from, to}), std::log(mass), mean, variance, 1e-12);
  }
  for (const auto& [shape, rate, from, to, mass, mean, variance] : values::kTruncatedGamma) {
    expect_moments(truncated_gamma(shape, rate, {from, to}), std::log(mass), mean, variance, 1e-12);
  }
  for (const auto& [mu, sigma, from, to, mass, mean, square, variance, covariance, square_variance] :
       values::kTruncatedNormal) {
    const NormalSegmentMoments got = truncated_normal(mu, sigma, {from, to});
    expect_moments(first_two(got), std::log(mass), mean, variance, 1e-12);
    expect_close(got.mean_square, square, 1e-12, "mean of the square");
    expect_close(got.covariance, covariance, 1e-12, "covariance");
    expect_close(got.square_variance, square_variance, 1e-12, "variance of the square");
  }
}

// The law of total expectation over adjoining segments, for any law.
using Law = std::function<SegmentMoments(Segment)>;

void expect_consistent(const Law& law, const std::vector<double>& cuts, double gap) {
  const SegmentMoments whole = law({-kInfinity, kInfinity});
  double mass = 0;
  double mean = 0;
  double square = 0;
  double from = -kInfinity;
  for (std::size_t k = 0; k <= cuts.size(); ++k) {
    const double to = k < cuts.size() ? cuts[k] : kInfinity;
    const SegmentMoments part = law({from, to});
    const double share = std::exp(part.log_mass);
    mass += share;
    mean += share * (part.mean - whole.mean);
    square += share * (part.variance + (part.mean - whole.mean) * (part.mean - whole.mean));
    from = to + gap;
  }
  EXPECT_EQ(whole.log_mass, 0);
  EXPECT_NEAR(mass, 1, 2e-12);
  EXPECT_NEAR(mean / std::sqrt(whole.variance), 0, 2e-12);
  EXPECT_NEAR(square / whole.variance, 1, 2e-12);
}

/// Three cuts about the bulk of a law, in order; whole numbers when gap is 1.
std::vector<double> random_cuts(Rng& rng, double centre, double spread, double gap) {
  std::vector<double> cuts;
  for (int k = 0; k < 3; ++k) cuts.push_back(centre + spread * (6 * rng.uniform() - 2));
  if (gap == 1) {
    for (double& cut : cuts) cut = std::floor(cut);
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

double log_uniform(Rng& rng, double low, double high) { return low * std::pow(high / low, rng.uniform()); }

TEST(Truncated, SegmentsOfDensitiesAddUp) {
  Rng rng(20261116, 1, Purpose::test);
  for (int trial = 0; trial < 60; ++trial) {
    const double rate = log_uniform(rng, 1e-6, 1e6);
    const double shape = log_uniform(rng, 1e-3, 1e6);
    const double spread = std::sqrt(shape) / rate;
    SCOPED_TRACE(testing::Message() << "rate " << rate << ", shape " << shape);
    expect_consistent([=](Segment s) { return truncated_gamma(shape, rate, s); },
                      random_cuts(rng, shape / rate, spread, 0), 0);
    expect_consistent([=](Segment s) { return truncated_exponential(rate, s); },
                      random_cuts(rng, 1 / rate, 1 / rate, 0), 0);
    const double centre = (200 * rng.uniform() - 100) / rate;
    expect_consistent([=](Segment s) { return first_two(truncated_normal(centre, 1 / rate, s)); },
                      random_cuts(rng, centre, 1 / rate, 0), 0);
  }
}

TEST(Truncated, SegmentsOfCountsAddUp) {
  Rng rng(20261116, 2, Purpose::test);
  for (int trial = 0; trial < 40; ++trial) {
    const double rate = log_uniform(rng, 1e-6, 1e9);
    const double theta = log_uniform(rng, 1e-6, 0.99);
    const double r = log_uniform(rng, 1e-3, 1e6);
    SCOPED_TRACE(testing::Message() << "rate " << rate << ", theta " << theta << ", r " << r);
    expect_consistent([=](Segment s) { return truncated_poisson(rate, s); },
                      random_cuts(rng, rate, std::sqrt(rate), 1), 1);
    expect_consistent([=](Segment s) { return truncated_geometric(theta, s); },
                      random_cuts(rng, 1 / theta, 1 / theta, 1), 1);
    const double trials = std::floor(log_uniform(rng, 1, 1e6)) + 1;
    expect_consistent([=](Segment s) { return truncated_binomial(trials, theta, s); },
                      random_cuts(rng, trials * theta, std::sqrt(trials * theta * (1 - theta)), 1), 1);
    const double spread = std::sqrt(r * (1 - theta)) / theta;
    const double mean = r * (1 - theta) / theta;
    expect_consistent(
        [=](Segment s) {
          SegmentMoments result = truncated_negative_binomial(r, theta, s);
          if (s.from == -kInfinity && s.to == kInfinity) {
            expect_moments(result, 0, mean, mean / theta, 2e-12);
            result.log_mass = 0;
          }
          return result;
        },
        random_cuts(rng, mean, spread, 1), 1);
  }
}

/// The binomial's moments on whole numbers from..to, added up term by term about the middle of the segment.
SegmentMoments add_up_binomial(int trials, double theta, int from, int to) {
  using Real = long double;
  const Real odds = static_cast<Real>(theta) / (1 - static_cast<Real>(theta));
  Real p = 1, all = 0, mass = 0, first = 0, second = 0;  // p relative to P(0)
  const Real centre = (static_cast<Real>(from) + to) / 2;
  for (int x = 0; x <= trials; ++x) {
    all += p;
    if (x >= from && x <= to) {
      mass += p;
      first += p * (x - centre);
      second += p * (x - centre) * (x - centre);
    }
    p *= static_cast<Real>(trials - x) / (x + 1) * odds;
  }
  const Real shift = first / mass;
  return {static_cast<double>(std::log(mass / all)), static_cast<double>(centre + shift),
          static_cast<double>(second / mass - shift * shift)};
}

TEST(Truncated, BinomialAgainstItsTerms) {
  for (const int trials : {1, 2, 7, 40, 300}) {
    for (const double theta : {0.001, 0.2, 0.5, 0.83, 0.999}) {
      for (int from = 0; from <= trials; from += 1 + trials / 7) {
        for (int to = from; to <= trials; to += 1 + trials / 5) {
          SCOPED_TRACE(testing::Message() << trials << " " << theta << " [" << from << ", " << to << "]");
          const SegmentMoments want = add_up_binomial(trials, theta, from, to);
          const SegmentMoments got = truncated_binomial(trials, theta, {from - 0.5, to + 0.5});
          expect_moments(got, want.log_mass, want.mean, want.variance, 1e-12);
        }
      }
    }
  }
}

TEST(Truncated, WithoutMassOrWithOnePoint) {
  EXPECT_EQ(truncated_gamma(2, 1, {-3, -1}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_exponential(1, {-3, -1}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_poisson(2, {-3, -1}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_poisson(2, {3.2, 3.8}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_binomial(5, 0.3, {-3, -1}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_binomial(5, 0.3, {6, 9}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_binomial(5, 0.3, {3.2, 3.8}).log_mass, -kInfinity);
  EXPECT_EQ(truncated_normal(0, 1, {2, 2}).log_mass, -kInfinity);
  const SegmentMoments three = truncated_poisson(2, {3, 3});
  expect_moments(three, std::log(8 / 6.0) - 2, 3, 0, 1e-15);
  expect_moments(truncated_geometric(0.25, {3, 3}), std::log(0.25 * 27 / 64), 3, 0, 1e-15);
  const SegmentMoments sure = truncated_geometric(1, {0, 4});
  EXPECT_EQ(sure.log_mass, 0);
  EXPECT_EQ(sure.mean, 0);
}

}  // namespace
}  // namespace postern
