#include "contradiction.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/error.hpp"

#include "kinds/range.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 45;
constexpr double kMostDeviations = 9;  ///< e^-42; sums of some hundred records are normal no further out

/// What may have been released as these noisy values.
Range seen(Range possible, const std::vector<NoisyValue>& noisy_values) {
  for (const NoisyValue& noisy_value : noisy_values) {
    const double reach = release::radius(noisy_value.law, kNats);
    possible = {std::max(possible.lo, noisy_value.y - reach), std::min(possible.hi, noisy_value.y + reach)};
  }
  return possible;
}

Range numbers(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total))
    return {static_cast<double>(known->n), static_cast<double>(known->n)};
  return seen({0, static_cast<double>(std::get<LatentTotal>(problem.total).at_most)}, problem.counts);
}

[[noreturn]] void refuse() {
  throw Error(
      ErrorCode::engine_limit,
      {"the released values contradict the model, or each other, by more than noise and chance ever do; "
       "the gibbs engine takes sums to be normal and cannot say anything there. Infer from each dataset by "
       "itself, if there are several, and look at "
       "the releases; or take --engine augment"});
}

}  // namespace

void refuse_impossible(const NumberProblem& problem) {
  const auto lowest = static_cast<double>(problem.number.values.adds.front());
  const auto highest = static_cast<double>(problem.number.values.adds.back());
  const Range records = numbers(problem);
  bool possible = !records.empty() && !seen(sums(records, {lowest, highest}), problem.sums).empty();
  if (problem.squares) {
    const double least = lowest > 0 ? lowest : highest < 0 ? highest : 0;
    const double most = std::max(lowest * lowest, highest * highest);
    possible = possible && !seen(sums(records, {least * least, most}), problem.square_sums).empty();
  }
  if (!possible) refuse();
}

double deviations(const NumberProblem& problem, const model::Theta& theta, double n) {
  std::vector<double> mass;
  model::level_masses(*problem.law, theta, problem.number, mass);
  std::array<double, 5> moment{};  // of what a record adds
  for (std::size_t l = 0; l < mass.size(); ++l) {
    double power = mass[l];
    for (double& m : moment) {
      m += power;
      power *= static_cast<double>(problem.number.values.adds[l]);
    }
  }
  double most = 0;
  const auto look = [&](const std::vector<NoisyValue>& noisy_values, double mean, double square) {
    for (const NoisyValue& noisy_value : noisy_values) {
      const double variance = n * std::max(square - mean * mean, 0.0) + release::variance(noisy_value.law);
      most = std::max(most, std::abs(noisy_value.y - n * mean) / std::sqrt(variance));
    }
  };
  look(problem.sums, moment[1], moment[2]);
  look(problem.square_sums, moment[2], moment[4]);
  return most;
}

void refuse_unlikely(double deviations) {
  if (deviations > kMostDeviations) refuse();
}

}  // namespace postern::infer
