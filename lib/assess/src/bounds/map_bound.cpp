#include "postern/assess/bounds/map_bound.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/bracketed_root.hpp"
#include "postern/core/special.hpp"

#include "domain.hpp"

namespace postern::assess {
namespace {

void check_mass(double mass) {
  if (!(mass > 0 && mass <= 1))
    throw Error(ErrorCode::usage, {"the mass of a set lies above 0 and is at most 1"});
}

}  // namespace

double choice_shortfall_bound(const ExponentialChoice& choice, double t, double mass) {
  check_positive(choice.epsilon);
  check_positive(choice.sensitivity);
  check_not_negative(t);
  check_mass(mass);
  return std::min(1.0, std::exp(-choice.epsilon * t / (2 * choice.sensitivity)) / mass);
}

double printed_shortfall_bound(double epsilon, double t, double mass) {
  check_positive(epsilon);
  check_not_negative(t);
  check_mass(mass);
  return std::exp(-epsilon * t) / mass;
}

double concave_gap_mean(const ConcaveChoice& choice) {
  check_positive(choice.tempering);
  check_positive(static_cast<double>(choice.dimension));
  return static_cast<double>(choice.dimension) / choice.tempering;
}

double concave_gap_quantile(const ConcaveChoice& choice, double delta) {
  check_positive(choice.tempering);
  check_positive(static_cast<double>(choice.dimension));
  check_probability(delta);
  const auto shape = static_cast<double>(choice.dimension);
  const auto excess = [&](double x) { return std::log(gamma_tail(shape, x)) - std::log(delta); };
  Bracket bracket{0, shape, -std::log(delta), excess(shape)};
  while (bracket.at_hi > 0) bracket.at_hi = excess(bracket.hi *= 2);
  return bracketed_root(excess, bracket, 1e-13 * bracket.hi) / choice.tempering;
}

}  // namespace postern::assess
