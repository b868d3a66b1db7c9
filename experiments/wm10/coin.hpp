#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace postern::wm10 {

/// The coin of section 3.2: nine candidates, n records, epsilon the exponent of the paper.
struct CoinPoint {
  double epsilon = 0;
  double theta = 0;
  double exact = 0;           ///< P(z | theta)
  double lower = 0;           ///< (5a)
  double upper_printed = 0;   ///< (5b) at q as printed, without epsilon
  double upper_expected = 0;  ///< (5b) at q with epsilon
  double upper_best = 0;      ///< (5b) at the best q
};

/// At theta = 0, 0.01, ..., 1 for the candidate of this index.
[[nodiscard]] std::vector<CoinPoint> coin_points(std::int64_t n, double epsilon, std::size_t chosen);

/// wm10-fig2a.csv: the largest errors of the bounds over candidates and theta. wm10-fig2b.csv: the bounds for
/// z = 0.7, n = 100, epsilon = 0.5.
void write_coin(const std::filesystem::path& folder, bool quick);

}  // namespace postern::wm10
