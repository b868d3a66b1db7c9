// P(x > v) = exp(-rate v^shape), shape known, so x^shape ~ Exponential(rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily weibull_family() {
  return {.name = "weibull",
          .known = {{"shape"}},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .transform =
              [](std::span<const Rational> known) {
                return Transform{Transform::Kind::power, known[0]};
              },
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(1);
          }};
}

}  // namespace postern::model
