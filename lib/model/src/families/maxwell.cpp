// The length of three normal numbers of variance 1 / (2 rate), so x^2 ~ Gamma(3/2, rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily maxwell_family() {
  return {.name = "maxwell",
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform = sum_squares,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(1.5);
          }};
}

}  // namespace postern::model
