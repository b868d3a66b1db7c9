// P(x > v) = (minimum / v)^rate from a known minimum on, so log x - log minimum ~ Exponential(rate).

#include <cmath>

#include "families.hpp"
#include "gamma_law.hpp"
#include "transforms.hpp"

namespace postern::model {

NumberFamily pareto_family() {
  return {.name = "pareto",
          .known = {{"minimum"}},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"tail index of"},
          .transform = sum_logarithms,
          .law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<GammaLaw>(1, std::log(known[0].get_d()));
          }};
}

}  // namespace postern::model
