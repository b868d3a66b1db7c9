#pragma once

#include <string_view>

#include "postern/model/number_family.hpp"

#include "kinds/number/families/gamma_law.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {

/// A family whose t has a GammaLaw of unknown rate: what they all share. `law` and what differs is to be set.
inline NumberFamily rate_family(std::string_view name) {
  return {.name = name,
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"rate"},
          .labels = {"rate of"},
          .prior_records = [](std::span<const Rational> /*known*/,
                              std::span<const Rational> prior) -> Rational { return prior[0]; },
          .transform = sum_numbers,
          .law = nullptr};
}

}  // namespace postern::model
