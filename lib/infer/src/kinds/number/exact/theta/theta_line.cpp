#include "theta_line.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {

double ThetaLine::theta(double z) const {
  switch (space_) {
    case model::ParameterSpace::real:
      return z;
    case model::ParameterSpace::positive:
      return std::clamp(std::exp(z), 1e-300, 1e300);
    case model::ParameterSpace::unit:
      break;
  }
  return std::clamp(z < 0 ? std::exp(z) / (1 + std::exp(z)) : 1 / (1 + std::exp(-z)), 1e-300, 1 - 0x1p-53);
}

double ThetaLine::place(double theta) const {
  switch (space_) {
    case model::ParameterSpace::real:
      return theta;
    case model::ParameterSpace::positive:
      return std::log(theta);
    case model::ParameterSpace::unit:
      break;
  }
  return std::log(theta) - std::log1p(-theta);
}

double ThetaLine::highest() const { return space_ == model::ParameterSpace::real ? 1e300 : 690; }

double log_prior_at(const NumberProblem& problem, const ThetaLine& line, double z) {
  const model::Hyper& prior = problem.prior;
  // A beta's, from the log odds themselves: past 37 theta is 1 as a double, and a small second shape has mass
  // there.
  if (line.space() == model::ParameterSpace::unit) {
    const double end = std::log1p(std::exp(-std::abs(z)));
    return -prior[0] * (std::max(-z, 0.0) + end) - prior[1] * (std::max(z, 0.0) + end) -
           log_beta(prior[0], prior[1]);
  }
  const double log_jacobian = line.space() == model::ParameterSpace::positive ? z : 0;  // d theta / dz
  return problem.law->log_prior(prior, {line.theta(z), 0}) + log_jacobian;
}

}  // namespace postern::infer
