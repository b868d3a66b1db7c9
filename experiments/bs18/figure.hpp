#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "trial.hpp"

namespace postern::bs18 {

struct Plan {
  std::vector<Setting> settings;
  Effort effort;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// What all trials say about one method at one setting.
struct MethodResult {
  Method method = Method::nonprivate;
  std::vector<double> u;  ///< sorted
  std::vector<double> mmd2;
};
struct SettingResult {
  Setting setting;
  std::vector<MethodResult> methods;
};

using Progress = std::function<void(double done)>;
[[nodiscard]] std::vector<SettingResult> run_plan(const Plan& plan, const Progress& progress);

/// Kolmogorov-Smirnov distance of u from uniform, with its bootstrap standard error.
struct Calibration {
  double ks = 0;
  double se = 0;
};
[[nodiscard]] Calibration calibration(std::span<const double> u, std::uint64_t seed);

// fig1a: model,prior,bounds,n,epsilon,method,trials,ks,ks_se,p_value
// fig1b: model,prior,bounds,n,epsilon,method,u,cdf
// fig1c: model,prior,bounds,n,epsilon,method,trials,mmd2,mmd2_se,mmd
void write_figure_a(const std::filesystem::path& file, std::span<const SettingResult> results,
                    std::uint64_t seed);
void write_figure_b(const std::filesystem::path& file, std::span<const SettingResult> results);
void write_figure_c(const std::filesystem::path& file, std::span<const SettingResult> results);

}  // namespace postern::bs18
