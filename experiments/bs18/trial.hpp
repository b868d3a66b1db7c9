#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "setting.hpp"

namespace postern::bs18 {

/// How one method did in one trial.
struct Grade {
  Method method = Method::nonprivate;
  double u = 0;                                            ///< where theta lies among the draws, in (0, 1)
  double mmd2 = std::numeric_limits<double>::quiet_NaN();  ///< from the posterior that sees the records
};

/// theta ~ prior, records ~ p(. | theta), one release; then every method that suits the model. The same seed,
/// setting.place and index give the same grades.
[[nodiscard]] std::vector<Grade> run_trial(const Setting& setting, const Effort& effort, std::uint64_t seed,
                                           std::size_t index);

}  // namespace postern::bs18
