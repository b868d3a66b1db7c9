#include "postern/model/transform.hpp"

#include <cmath>

namespace postern::model {

double Transform::operator()(double x) const {
  switch (kind) {
    case Kind::identity:
      return x;
    case Kind::log:
      return std::log(x);
    case Kind::power:
      return exponent == 2 ? x * x : std::pow(x, exponent.get_d());
  }
  return x;
}

}  // namespace postern::model
