// x ~ Gamma(shape, rate), shape known, rate ~ Gamma(shape, rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily gamma_family() {
  return {.name = "gamma",
          .known = {{"shape"}},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform = sum_numbers,
          .law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(known[0].get_d());
          }};
}

}  // namespace postern::model
