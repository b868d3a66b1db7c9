#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include <gtest/gtest.h>

#include "postern/model/wishart.hpp"

#include "pooled_support.hpp"
#include "vector_support.hpp"

// The posterior of a few records with few levels by simulation of the model itself: theta, n and the records
// are drawn from their laws and weighed by the noise. No part of the engine is used. The chains must give the
// same probabilities at 1e-6, the error of the simulation (4.9 standard errors) allowed for.

namespace postern::infer {
namespace {

/// Draws of the posterior with weights: what is reported, in order.
struct Weighed {
  std::vector<std::vector<double>> values;  ///< by quantity
  std::vector<double> weight;

  /// Values with the shares p, rising, of the weight at or below them.
  [[nodiscard]] std::vector<double> quantiles(std::size_t quantity, const std::vector<double>& p) const {
    std::vector<std::size_t> order(weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto& column = values[quantity];
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
    const double whole = std::accumulate(weight.begin(), weight.end(), 0.0);
    std::vector<double> out;
    double sum = 0;
    for (const std::size_t i : order) {
      sum += weight[i];
      while (out.size() < p.size() && sum >= p[out.size()] * whole) out.push_back(column[i]);
    }
    return out;
  }
  /// P(quantity <= at), and how far off it may be.
  [[nodiscard]] Estimate below(std::size_t quantity, double at) const {
    double sum = 0;
    double hits = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      sum += weight[i];
      hits += values[quantity][i] <= at ? weight[i] : 0;
    }
    double square = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const double off = (values[quantity][i] <= at ? 1 : 0) - hits / sum;
      square += weight[i] * weight[i] * off * off;
    }
    return {hits / sum, 4.9 * std::sqrt(square) / sum};
  }
};

/// Draws n records at theta; the log weight of what they add up to.
double simulate_set(const VectorRecords& records, const model::VectorTheta& theta,
                    const std::vector<double>& factor, std::int64_t n, Rng& rng) {
  const std::size_t d = records.numbers.size();
  std::vector<double> sums(d);
  std::vector<double> products(records.products.size());
  std::vector<double> z(d);
  std::vector<double> k(d);
  for (std::int64_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < d; ++i) {
      z[i] = draw_normal(rng);
      double x = theta.mean[i];
      for (std::size_t j = 0; j <= i; ++j) x += factor[i * d + j] * z[j];
      const auto level = static_cast<std::size_t>(records.numbers[i].level_of(x));
      k[i] = static_cast<double>(records.numbers[i].values.adds[level]);
      sums[i] += k[i];
    }
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i; j < d; ++j) products[model::packed_place(i, j, d)] += k[i] * k[j];
    }
  }
  double out = 0;
  const auto add = [&](const std::vector<NoisyValue>& noisy_values, double value) {
    for (const NoisyValue& noisy_value : noisy_values)
      out += release::log_pmf(noisy_value.law, noisy_value.y - value);
  };
  for (std::size_t i = 0; i < d; ++i) add(records.sums[i], sums[i]);
  for (std::size_t s = 0; s < products.size(); ++s) add(records.products[s], products[s]);
  add(records.counts, static_cast<double>(n));
  return out;
}

Weighed simulate(const VectorProblem& problem, std::size_t draws) {
  Rng rng(11, 0, Purpose::test);
  Weighed out;
  const std::size_t d = problem.prior.mean.size();
  for (std::size_t i = 0; i < draws; ++i) {
    const model::VectorTheta theta = model::draw_normal_inverse_wishart(problem.prior, rng);
    const std::vector<double> factor = model::cholesky(theta.covariance, d);
    std::vector<double> values = theta.mean;
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = a; b < d; ++b) values.push_back(theta.covariance[a * d + b]);
    }
    double log_weight = 0;
    for (const VectorRecords& records : problem.sets) {
      std::int64_t n = 0;
      if (const auto* known = std::get_if<KnownTotal>(&records.total)) {
        n = known->n;
      } else {
        const auto& latent = std::get<LatentTotal>(records.total);
        n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(latent.at_most) + 1, rng));
        log_weight += latent.log_slope * static_cast<double>(n);
        values.push_back(static_cast<double>(n));
      }
      log_weight += simulate_set(records, theta, factor, n, rng);
    }
    out.values.resize(values.size());
    for (std::size_t q = 0; q < values.size(); ++q) out.values[q].push_back(values[q]);
    out.weight.push_back(std::exp(log_weight));
  }
  return out;
}

struct Case {
  std::string name;
  VectorShape shape;
  std::int64_t n = 3;
  bool latent = false;
  bool gaussian = false;
  double width = 1;  ///< of the noise, in largest records
  std::size_t sets = 1;

  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

VectorProblem seen(const Case& one) {
  VectorProblem problem = make_vectors(one.shape, one.sets);
  Rng rng(7, 0, Purpose::test);
  for (VectorRecords& records : problem.sets) {
    const auto spread = static_cast<double>(sums_of(one.shape.columns));
    const VectorNoiseLaws laws = noise_for(records, spread / one.width, one.latent, one.gaussian);
    const MeanAndSpread theta = NormalWishart(one.shape.prior).draw({}, rng);
    see(records, laws, draw_totals(records, theta, 2, rng), rng);
    // A second noisy value of one sum, of the other kind.
    records.sums[0].push_back({records.sums[0][0].y + 1, release::DiscreteGaussian(9)});
    records.total = KnownTotal{one.n};
    if (one.latent) {
      records.counts = {{2, release::DiscreteLaplace(0.5)}};
      records.total = LatentTotal{one.n, -0.1};
    }
  }
  return problem;
}

class VectorEnumeration : public testing::TestWithParam<Case> {};

TEST_P(VectorEnumeration, IsTheModelsPosterior) {
  const VectorProblem problem = seen(GetParam());
  const Weighed wanted = simulate(problem, 150'000);
  DriverOptions options;
  options.draws = 3000;
  options.seed = 20261116;
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  for (std::size_t q = 0; q < wanted.values.size(); ++q) {
    const auto chains = chains_of(run, q, options.draws);
    for (const double at : wanted.quantiles(q, {0.1, 0.5, 0.9})) {
      const Estimate listed = wanted.below(q, at);
      const Estimate found = estimate(chains, 1, [&](double x) { return x <= at ? 1.0 : 0.0; });
      EXPECT_NEAR(found.mean, listed.mean, found.reach + listed.reach) << "quantity " << q << " at " << at;
      EXPECT_LT(found.reach + listed.reach, 0.1) << "too rough to see a fault";
    }
  }
}

const model::Values kBits = model::IntegerRange{0, 1, {}};
const model::Values kThree = model::IntegerRange{0, 2, {}};
const model::Values kSigned = model::IntegerRange{-1, 1, {}};

WishartPrior about(std::size_t d, double mean, double degrees, double deviation, double correlation) {
  WishartPrior out = wishart_prior(d, 1, degrees, deviation, correlation);
  out.mean.assign(d, mean);
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    All, VectorEnumeration,
    testing::Values(Case{"bits", {2, kBits, about(2, 0.5, 6, 0.6, 0.5)}},
                    Case{"three", {2, kThree, about(2, 1, 5, 1, 0)}},
                    Case{"three_gaussian", {2, kThree, about(2, 1, 5, 1, 0.3)}, 3, false, true},
                    Case{"signed_sharp", {2, kSigned, about(2, 0, 5, 1, -0.3)}, 2, false, false, 0.35},
                    Case{"mapped", {2, kThree, about(2, 1, 5, 1.5, 0), model::MapTo{1}}, 3},
                    Case{"latent", {2, kThree, about(2, 1, 5, 1, 0.3)}, 4, true},
                    Case{"latent_gaussian", {2, kSigned, about(2, 0, 5, 1, 0.3)}, 4, true, true},
                    Case{"three_columns", {3, kThree, about(3, 1, 7, 1, 0.3)}, 2},
                    Case{"two_sets", {2, kThree, about(2, 1, 6, 1, 0.3)}, 3, true, false, 1, 2}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace postern::infer
