#include "theta_line.hpp"

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

double ThetaLine::highest() const { return space_ == model::ParameterSpace::real ? 1e300 : 690; }

}  // namespace postern::infer
