#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "regression.hpp"

namespace postern::wm10 {

/// The principal axis of section 4.3: 1000 records about theta = (1.5, 0), sigma 0.5, 72 candidates.
struct AxisPoint {
  double exponent = 0;   ///< epsilon of the paper
  double epsilon = 0;    ///< what the choice costs, one record replaced
  double resultant = 0;  ///< |E e^{2 i angle}| of the posterior, mean over releases
  double near = 0;       ///< posterior mass within 15 degrees of the truth
  double off = 0;        ///< degrees of a draw from the truth
};

/// wm10-fig4.csv: one row an exponent. wm10-fig4-angles.csv: the posterior of the direction of the first
/// releases, in steps of 5 degrees.
void write_axes(const std::filesystem::path& folder, const Plan& plan);

}  // namespace postern::wm10
