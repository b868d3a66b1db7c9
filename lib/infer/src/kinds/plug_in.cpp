#include "plug_in.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

constexpr double kLeastVariance = 1e-200;  ///< its inverse times any released value is finite

}  // namespace

Warning naive_warning() {
  return {"naive-ignores-noise",
          "naive ignores the noise: its intervals are too narrow, use it only to compare"};
}

double combine(const std::vector<NoisyValue>& noisy_values) {
  double sum = 0;
  double precision = 0;
  for (const NoisyValue& noisy_value : noisy_values) {
    const double p = 1 / std::max(release::variance(noisy_value.law), kLeastVariance);
    sum += p * noisy_value.y;
    precision += p;
  }
  return sum / precision;
}

std::vector<double> plug_in(std::vector<double> alpha, const CountProblem& problem) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const double most = known != nullptr ? static_cast<double>(known->n)
                                       : static_cast<double>(std::get<LatentTotal>(problem.total).at_most);
  double seen = 0;
  for (std::size_t cell = 0; cell < alpha.size(); ++cell) {
    if (problem.noisy_values[cell].empty()) continue;
    const double count = std::clamp(combine(problem.noisy_values[cell]), 0.0, most);
    alpha[cell] += count;
    seen += count;
  }
  // With n public a binary table is measured in one cell; the other is what is left.
  for (std::size_t cell = 0; known != nullptr && cell < alpha.size(); ++cell) {
    if (problem.noisy_values[cell].empty()) alpha[cell] += std::max(0.0, most - seen);
  }
  return alpha;
}

model::Sums plug_in(const NumberProblem& problem) {
  const model::LevelValues& values = problem.number.values;
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const double top = static_cast<double>(values.adds.back());
  double n = 0;
  if (known != nullptr) {
    n = static_cast<double>(known->n);
  } else {
    n = problem.counts.empty() ? (combine(problem.sums) + combine(problem.mirrored_sums)) / top
                               : combine(problem.counts);
    n = std::clamp(n, 0.0, static_cast<double>(std::get<LatentTotal>(problem.total).at_most));
  }
  const double least = n * static_cast<double>(values.adds.front());
  const double k = std::clamp(combine(problem.sums), least, n * top);
  model::Sums sums{n, n * values.zero + values.unit * k, 0};
  if (problem.squares) {
    const double squares = std::max(0.0, combine(problem.square_sums));
    sums.squares = n * values.zero * values.zero + 2 * values.zero * values.unit * k +
                   values.unit * values.unit * squares;
    if (n > 0) sums.squares = std::max(sums.squares, sums.t * sums.t / n);
  }
  return sums;
}

}  // namespace postern::infer
