#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// Not a model of anything: quantiles of one column, chosen privately, from which an owner who cannot state
/// bounds takes those of a later study.
struct Quantiles {
  std::string column;
  std::vector<Rational> at;  ///< in (0, 1), rising
};
[[nodiscard]] const Kind& kind_of(const Quantiles& model);

}  // namespace postern::model
