#include "exact/number_theta.hpp"

#include <algorithm>
#include <cmath>

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

double ThetaLine::log_jacobian(double z) const {
  switch (space_) {
    case model::ParameterSpace::real:
      return 0;
    case model::ParameterSpace::positive:
      return z;
    case model::ParameterSpace::unit:
      break;
  }
  return -std::abs(z) - 2 * std::log1p(std::exp(-std::abs(z)));
}

double ThetaLine::lowest() const { return space_ == model::ParameterSpace::real ? -1e300 : -690; }
double ThetaLine::highest() const {
  switch (space_) {
    case model::ParameterSpace::real:
      return 1e300;
    case model::ParameterSpace::positive:
      return 690;
    case model::ParameterSpace::unit:
      break;
  }
  return 36;
}

double log_prior_at(const NumberProblem& problem, const ThetaLine& line, double z) {
  return problem.law->log_prior(problem.prior, {line.theta(z), 0}) + line.log_jacobian(z);
}

}  // namespace postern::infer
