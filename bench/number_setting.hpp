#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/model/number_family.hpp"

namespace postern::bench {

/// A simulated release of a number, without a ledger.
struct NumberSetting {
  std::string family;
  std::vector<Rational> known;
  model::Hyper prior;
  model::Values values;
  std::size_t n;
  double epsilon;
  /// n is private (add-remove): a tenth of epsilon pays for a count; of a bounded family the mirrored sum is
  /// released instead, which costs nothing more.
  bool latent = false;
};

inline infer::NumberProblem simulate(const NumberSetting& setting) {
  const model::NumberFamily* family = model::find_number_family(setting.family);
  model::Column column;
  column.name = "x";
  column.values = setting.values;
  infer::NumberProblem problem;
  problem.law = family->law(setting.known);
  problem.parameters = family->parameters.size();
  problem.whole = family->whole;
  problem.squares = family->squares;
  problem.prior = setting.prior;
  problem.number = model::encoded_number(column, family->transform(setting.known));
  const auto n = static_cast<std::int64_t>(setting.n);
  problem.total = infer::KnownTotal{n};
  const auto& adds = problem.number.values.adds;
  const auto far = static_cast<double>(std::max(-adds.front(), adds.back()));
  const double range = setting.latent ? far : static_cast<double>(adds.back() - adds.front());
  const bool counted = setting.latent && !family->bounded;
  const double share = (problem.squares ? 0.5 : 1) * (counted ? 0.9 : 1);
  Rng rng(2026, 0, Purpose::simulation);
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < setting.n; ++i) {
    const auto level = problem.number.level_of(problem.law->draw(theta, rng));
    const auto k = static_cast<double>(adds[static_cast<std::size_t>(level)]);
    sum += k;
    squares += k * k;
  }
  const auto noisy_value = [&](double value, double lambda) -> std::vector<infer::NoisyValue> {
    const release::DiscreteLaplace law(lambda);
    return {{value + static_cast<double>(law.simulate(rng)), law}};
  };
  problem.sums = noisy_value(sum, share * setting.epsilon / range);
  if (problem.squares) problem.square_sums = noisy_value(squares, share * setting.epsilon / (far * far));
  if (setting.latent) problem.total = infer::LatentTotal{2 * n};
  if (counted) problem.counts = noisy_value(static_cast<double>(n), setting.epsilon / 10);
  if (setting.latent && family->bounded) {
    const double most = static_cast<double>(adds.back()) * static_cast<double>(n);
    problem.mirrored_sums = noisy_value(most - sum, setting.epsilon / range);
  }
  return problem;
}

}  // namespace postern::bench
