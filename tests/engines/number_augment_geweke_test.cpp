#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"

#include "number_augment_support.hpp"
#include "pooled_support.hpp"

// Geweke's joint test (2004): if the chain's step leaves p(theta, records, n | y) as it is, then alternating
// it with new noise, y | records, leaves the joint law as it is, whose theta has the prior's law and whose n
// is uniform. The shares of theta below quantiles of prior draws are compared at 1e-6 each.

namespace postern::infer {
namespace {

struct Setting {
  std::string name;
  AugmentShape shape;
  std::int64_t n;  ///< known, or the largest
  bool latent;
  NumberNoise noise;
  double log_scale = 0;
  std::size_t offers = 2;
};

void PrintTo(const Setting& one, std::ostream* out) { *out << one.name; }

constexpr std::size_t kSteps = 30'000;
constexpr std::size_t kChains = 2;

/// Quantity by quantity: [quantity][chain][step].
std::vector<std::vector<std::vector<double>>> alternate(const Setting& setting) {
  NumberProblem problem = make_number(setting.shape);
  if (setting.latent) {
    problem.total = LatentTotal{setting.n};
  } else {
    problem.total = KnownTotal{setting.n};
  }
  const std::size_t quantities = problem.parameters + (setting.latent ? 1 : 0);
  std::vector out(quantities, std::vector(kChains, std::vector<double>(kSteps)));
  for (std::size_t c = 0; c < kChains; ++c) {
    Rng rng(42, static_cast<std::uint32_t>(c), Purpose::test);
    Totals totals = draw_truth(problem, setting.n / 2, rng).totals;
    see(problem, setting.noise, totals, rng);
    RecordChain::State state = RecordChain(problem).init(rng);
    state.tuning.steps = RecordChain::kTuning;  // a chain that still tunes itself keeps no law
    state.tuning.offers = setting.offers;
    state.tuning.log_scale = {setting.log_scale, setting.log_scale};
    std::vector<double> values(quantities);
    for (std::size_t i = 0; i < kSteps; ++i) {
      see(problem, setting.noise, state.totals, rng);
      const RecordChain chain(problem);
      chain.step(state, rng);
      chain.read(state, values);
      for (std::size_t q = 0; q < quantities; ++q) out[q][c][i] = values[q];
    }
  }
  return out;
}

class NumberGeweke : public testing::TestWithParam<Setting> {};

TEST_P(NumberGeweke, ThetaKeepsItsPriorAndNItsOwn) {
  const Setting& setting = GetParam();
  const NumberProblem problem = make_number(setting.shape);
  const auto values = alternate(setting);
  Rng rng(43, 0, Purpose::test);
  constexpr std::size_t kPrior = 400'000;
  std::vector<std::vector<double>> prior(problem.parameters, std::vector<double>(kPrior));
  for (std::size_t i = 0; i < kPrior; ++i) {
    const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
    for (std::size_t p = 0; p < problem.parameters; ++p) prior[p][i] = theta[p];
  }
  for (std::size_t q = 0; q < values.size(); ++q) {
    const std::vector<std::span<const double>> chains(values[q].begin(), values[q].end());
    for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      double at = 0;
      double expected = share;
      double slack = 0;
      if (q < problem.parameters) {
        const auto place = prior[q].begin() + static_cast<std::ptrdiff_t>(share * kPrior);
        std::nth_element(prior[q].begin(), place, prior[q].end());
        at = *place;
        slack = 4.9 * std::sqrt(share * (1 - share) / kPrior);
      } else {
        at = std::floor(share * static_cast<double>(setting.n));
        expected = (at + 1) / static_cast<double>(setting.n + 1);
      }
      const Estimate below = estimate(chains, 1, [&](double x) { return x <= at ? 1.0 : 0.0; });
      EXPECT_NEAR(below.mean, expected, below.reach + slack) << "quantity " << q << ", quantile " << share;
      EXPECT_LT(below.reach, 0.1) << "too few effective draws to see a fault";
    }
  }
}

const model::Values kGrid = model::RealRange{0, 4, Rational(1, 20), {}};
const model::Values kSigned = model::RealRange{-3, 3, Rational(1, 10), {}};
const model::Values kWhole = model::IntegerRange{0, 12, {}};

INSTANTIATE_TEST_SUITE_P(
    All, NumberGeweke,
    testing::Values(
        Setting{"exponential", {"exponential", {}, {3, 2}, kGrid}, 8, false, {{laplace(0.05)}, {}, {}, {}}},
        Setting{"exponential_latent",
                {"exponential", {}, {3, 2}, kGrid},
                10,
                true,
                {{laplace(0.02)}, {}, {}, {laplace(0.4)}}},
        Setting{"mapped_exponential",
                {"exponential", {}, {3, 2}, kGrid, model::MapTo{10}},
                8,
                false,
                {{laplace(0.05)}, {}, {}, {}}},
        Setting{
            "poisson_sharp", {"poisson", {}, {4, 2}, kWhole}, 8, false, {{laplace(0.5)}, {}, {}, {}}, -1, 20},
        Setting{"poisson_latent",
                {"poisson", {}, {4, 2}, kWhole},
                10,
                true,
                {{gaussian(20)}, {}, {}, {gaussian(4)}}},
        Setting{"geometric", {"geometric", {}, {3, 3}, kWhole}, 8, false, {{gaussian(30)}, {}, {}, {}}},
        Setting{"binomial_latent",
                {"binomial", {3}, {2, 2}, model::IntegerRange{0, 3, {}}},
                12,
                true,
                {{laplace(0.3)}, {}, {laplace(0.3)}, {}}},
        Setting{"normal",
                {"normal", {}, {0, 2, 4, 3}, kSigned},
                8,
                false,
                {{laplace(0.05)}, {laplace(0.005)}, {}, {}}},
        Setting{"normal_latent",
                {"normal", {}, {0, 2, 4, 3}, kSigned},
                10,
                true,
                {{gaussian(900)}, {gaussian(90000)}, {}, {laplace(0.5)}}}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace postern::infer
