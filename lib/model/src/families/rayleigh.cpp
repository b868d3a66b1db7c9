// Density 2 rate x exp(-rate x^2), so x^2 ~ Exponential(rate); the usual sigma^2 is 1 / (2 rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily rayleigh_family() {
  return {.name = "rayleigh",
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform = sum_squares,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(1);
          }};
}

}  // namespace postern::model
