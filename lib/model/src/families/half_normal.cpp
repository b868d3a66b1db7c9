// x = |z|, z normal about 0 with variance 1 / (2 rate), so x^2 ~ Gamma(1/2, rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily half_normal_family() {
  return {.name = "half-normal",
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform = sum_squares,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(0.5);
          }};
}

}  // namespace postern::model
