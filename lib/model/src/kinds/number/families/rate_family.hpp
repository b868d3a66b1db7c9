#pragma once

#include <cmath>
#include <string_view>

#include "postern/model/number_family.hpp"

#include "kinds/number/families/gamma_law.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {

/// A family whose t has a GammaLaw of unknown rate: what they all share. `law`, learn_rates and what differs
/// is to be set.
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
          .learned = nullptr,
          .planning = nullptr,
          .transform = sum_numbers,
          .law = nullptr};
}

/// How the rate of t goes with the size of the records: the mean of t from its start on is shape / rate, at
/// most `reach` inside the column's range, and grows like that power of a record.
struct RateScale {
  double shape = 1;
  double reach = 1;
  double power = 1;
};

/// Sets the learned prior: records' sizes are log-uniform, so the rate is; and the planning law, under which
/// they are about a fifth of the bound.
template <RateScale (*kScale)(std::span<const Rational> known, StatisticRange range)>
void learn_rates(NumberFamily& family) {
  family.learned = [](std::span<const Rational> known, StatisticRange range, double scale) {
    const auto [shape, reach, power] = kScale(known, range);
    const auto [least, most] = sizes(reach, std::pow(scale, power), power);
    return log_uniform_rates({shape / most, shape / least});
  };
  family.planning = [](std::span<const Rational> known, StatisticRange range) -> Hyper {
    const auto [shape, reach, power] = kScale(known, range);
    return {4, 4 / shape * reach * std::pow(0.2, power)};
  };
}

}  // namespace postern::model
