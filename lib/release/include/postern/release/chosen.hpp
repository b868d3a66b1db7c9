#pragma once

#include <string>
#include <vector>

#include "postern/release/release.hpp"

namespace postern::release {

/// A value that was chosen from a column's levels, and as what: "quantile 0.1 of visits", "1".
struct ChosenValue {
  std::string statistic;
  std::string value;
};
/// What a release of quantiles says: its documents hold indices of levels. Nothing of other releases.
[[nodiscard]] std::vector<ChosenValue> chosen_values(const Release& release);

}  // namespace postern::release
