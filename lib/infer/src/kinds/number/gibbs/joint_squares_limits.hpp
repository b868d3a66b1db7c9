#pragma once

namespace postern::infer {

inline constexpr double kMostLogVariance = 600;  ///< in units of k

}  // namespace postern::infer
