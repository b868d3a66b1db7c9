#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "postern/infer/kinds/number/augment/record_chain.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"
#include "postern/model/number_family.hpp"

#include "number_problems.hpp"
#include "ranks.hpp"

namespace postern::infer {

/// A family over a column, before anything was seen.
struct AugmentShape {
  std::string_view family;
  std::vector<Rational> known;
  model::Hyper prior;
  model::Values values;
  model::Policy outside = model::Clamp{};
};

inline NumberProblem make_number(const AugmentShape& shape) {
  return number_problem({shape.family, shape.known, shape.values, shape.prior, shape.outside});
}

/// What n records add up to; those that are dropped do not count.
inline Totals draw_totals(const NumberProblem& problem, const model::Theta& theta, std::int64_t n, Rng& rng) {
  Totals out;
  out.n = static_cast<double>(n);
  for (std::int64_t i = 0; i < n;) {
    const auto level = problem.number.level_of(problem.law->draw(theta, rng));
    if (level < 0) continue;
    const auto k = static_cast<double>(problem.number.values.adds[static_cast<std::size_t>(level)]);
    out.sum += k;
    out.squares += k * k;
    ++i;
  }
  return out;
}

/// One draw of theta from the prior, n records and what they add up to.
struct TrueNumber {
  model::Theta theta{};
  Totals totals;
};

inline TrueNumber draw_truth(const NumberProblem& problem, std::int64_t n, Rng& rng) {
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  return {theta, draw_totals(problem, theta, n, rng)};
}

/// What the sums are seen through. A law for sums is needed; the others as the problem has them.
struct NumberNoise {
  std::vector<release::NoiseLaw> sums;
  std::vector<release::NoiseLaw> squares;
  std::vector<release::NoiseLaw> mirrored;
  std::vector<release::NoiseLaw> counts;
};

/// Replaces what the problem has seen by new noise on these totals.
inline void see(NumberProblem& problem, const NumberNoise& noise, const Totals& totals, Rng& rng) {
  const auto noisy_values = [&](const std::vector<release::NoiseLaw>& laws, double value) {
    std::vector<NoisyValue> out;
    for (const release::NoiseLaw& law : laws)
      out.push_back({value + static_cast<double>(release::simulate(law, rng)), law});
    return out;
  };
  const auto last = static_cast<double>(problem.number.values.adds.back());
  problem.sums = noisy_values(noise.sums, totals.sum);
  problem.square_sums = noisy_values(noise.squares, totals.squares);
  problem.mirrored_sums = noisy_values(noise.mirrored, totals.n * last - totals.sum);
  problem.counts = noisy_values(noise.counts, totals.n);
}

inline release::NoiseLaw laplace(double lambda) { return release::DiscreteLaplace(lambda); }
inline release::NoiseLaw gaussian(double sigma2) { return release::DiscreteGaussian(sigma2); }

}  // namespace postern::infer
