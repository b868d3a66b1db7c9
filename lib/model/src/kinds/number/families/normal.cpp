// x ~ Normal(mu, sigma2), both unknown, normal-inverse-gamma prior.

#include <algorithm>

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/normal_law.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {

NumberFamily normal_family() {
  return {
      .name = "normal",
      .known = {},
      .prior = "normal-inverse-gamma",
      .prior_numbers = {{"mean", NumberRule::any}, {"weight"}, {"shape"}, {"scale"}},
      .default_prior = {},
      .parameters = {"mu", "sigma2"},
      .labels = {"mean of", "variance of"},
      .rounds = true,
      .squares = true,
      .non_negative = false,
      .prior_records = [](std::span<const Rational> /*known*/, std::span<const Rational> prior) -> Rational {
        return std::max<Rational>(prior[1], 2 * prior[2]);
      },
      .learned = [](std::span<const Rational> /*known*/, StatisticRange /*range*/,
                    double scale) { return flat_mean_and_scale(scale); },
      .planning = planning_normal,
      .transform = sum_numbers,
      .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
        return std::make_shared<NormalLaw>();
      }};
}

}  // namespace postern::model
