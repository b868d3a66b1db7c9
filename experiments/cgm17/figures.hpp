#pragma once

#include <filesystem>

#include "plan.hpp"

namespace postern::cgm17 {

void write_errors(const std::filesystem::path& folder, const Plan& plan);       ///< figure 1a
void write_projection(const std::filesystem::path& folder, const Plan& plan);   ///< figure 1b
void write_ridges(const std::filesystem::path& folder, const Plan& plan);       ///< figure 1c
void write_divergences(const std::filesystem::path& folder, const Plan& plan);  ///< figure 2, and times
void write_marginals(const std::filesystem::path& folder, const Plan& plan);    ///< figure 3a
void write_mobility(const std::filesystem::path& folder, const Plan& plan);     ///< figure 3b, and times

}  // namespace postern::cgm17
