// x ~ Exponential(rate), rate ~ Gamma(shape, rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily exponential_family() {
  return {.name = "exponential",
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform = sum_numbers,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(1);
          }};
}

}  // namespace postern::model
