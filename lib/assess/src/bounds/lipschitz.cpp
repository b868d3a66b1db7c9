#include "postern/assess/bounds/lipschitz.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/bracketed_root.hpp"

#include "domain.hpp"

namespace postern::assess {
namespace {

/// Of a draw that is not tempered, over the constant: two records differ, or one is there or not.
double sides(model::Adjacency adjacency) { return adjacency == model::Adjacency::replace_one ? 2 : 1; }

double most_levels(std::span<const std::uint32_t> levels) {
  if (levels.empty() || *std::min_element(levels.begin(), levels.end()) < 2)
    throw Error(ErrorCode::usage, {"a network has variables, each of at least two levels"});
  return static_cast<double>(*std::max_element(levels.begin(), levels.end()));
}

}  // namespace

std::vector<double> family_lipschitz(std::span<const std::uint32_t> levels, double omega) {
  if (!(omega > 0 && omega * most_levels(levels) < 1))
    throw Error(ErrorCode::usage, {"omega lies between 0 and 1 / the most levels of a variable"});
  std::vector<double> out;
  for (const std::uint32_t r : levels)
    out.push_back(std::log((1 - (static_cast<double>(r) - 1) * omega) / omega));
  return out;
}

NetworkLipschitz network_lipschitz(std::span<const double> families) {
  if (families.empty()) throw Error(ErrorCode::usage, {"a network has at least one variable"});
  for (const double constant : families) check_not_negative(constant);
  return {std::accumulate(families.begin(), families.end(), 0.0),
          static_cast<double>(families.size()) * *std::max_element(families.begin(), families.end())};
}

double draw_epsilon(double constant, double tempering, model::Adjacency adjacency) {
  check_positive(constant);
  check_positive(tempering);
  return sides(adjacency) * tempering * constant;
}

double draw_tempering(double constant, double epsilon, model::Adjacency adjacency) {
  check_positive(constant);
  check_positive(epsilon);
  return epsilon / (sides(adjacency) * constant);
}

double draw_omega(std::span<const std::uint32_t> levels, double epsilon, model::Adjacency adjacency) {
  check_positive(epsilon);
  const double most = most_levels(levels);
  const double wanted = epsilon / sides(adjacency);
  // omega = 1 / (most + e^x): from x = -infinity, where the box of the largest variable is a point, upwards.
  const auto omega = [most](double x) { return 1 / (most + std::exp(x)); };
  const auto excess = [&](double x) {
    double sum = -wanted;
    for (const std::uint32_t r : levels) sum += std::log1p(most - static_cast<double>(r) + std::exp(x));
    return sum;
  };
  Bracket bracket{-1, 1, excess(-1), excess(1)};
  while (bracket.at_lo > 0 && bracket.lo > -700) bracket.at_lo = excess(bracket.lo *= 2);
  while (bracket.at_hi < 0) bracket.at_hi = excess(bracket.hi *= 2);
  if (bracket.at_lo > 0) {
    throw Error(
        ErrorCode::usage,
        {"no omega is large enough for this epsilon: variables of fewer levels keep room in their boxes; "
         "temper the posterior instead"});
  }
  return omega(bracketed_root(excess, bracket, 1e-14 * std::max(1.0, std::abs(bracket.hi))));
}

}  // namespace postern::assess
