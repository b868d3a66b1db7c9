#pragma once

#include <filesystem>

#include "regression.hpp"

namespace postern::wm10 {

/// Figure 4: the first principal component of points of the plane, x ~ Normal(0, theta theta' + sigma^2 I),
/// by one choice among candidates, and the posterior of theta by the lower bound (5a). wm10-fig4.csv: 1000
/// draws of theta for one release at each epsilon. wm10-fig4-summary.csv: over releases, the axial resultant
/// |E e^{2 i angle}|, the mass within 15 degrees of the truth and the mean error of the angle.
void write_principal(const std::filesystem::path& folder, const Plan& plan);

}  // namespace postern::wm10
