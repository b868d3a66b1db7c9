#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "method.hpp"

namespace postern::zhang16 {

inline constexpr std::size_t kTrain = 50;
inline constexpr std::size_t kTest = 950;

/// The omega and the tempering at which one draw costs epsilon (one record replaced).
[[nodiscard]] double priced_omega(double epsilon);
[[nodiscard]] double priced_tempering(double omega, double epsilon);
/// That of a tempered method or of the private maximum.
[[nodiscard]] double omega_of(Method method);

struct TrialPlan {
  std::uint64_t seed = 1;
  double stealth_increment = 0;    ///< of noise of scale 1
  std::size_t averaged_first = 0;  ///< trials in which sampler_printed_100 is asked
  std::size_t aware_first = 0;     ///< trials in which noise_aware and gains are asked
};

/// By method and epsilon; NaN where the method does not answer. Methods without an epsilon answer at the
/// first.
using TrialResult = std::array<std::array<double, kEpsilons.size()>, kMethods.size()>;

/// A fresh truth, its records, and every method on them. The same seed and index give the same result.
[[nodiscard]] TrialResult run_trial(const TrialPlan& plan, std::size_t index);

}  // namespace postern::zhang16
