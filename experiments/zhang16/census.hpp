#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "report.hpp"

namespace postern::zhang16 {

/// The second experiment: coefficients of a linear regression drawn from their posterior in a ball. The
/// census records of the paper cannot be had; these are made up in their shape: 370,000 records, 14 features
/// (six uniform, eight coins) divided by sqrt 14, no intercept, the target clipped to -1..1.
struct CensusPlan {
  std::size_t records = 370'000;
  std::size_t splits = 20;
  std::uint64_t seed = 1;
  int threads = 0;
};

inline constexpr std::array kTempers{0.1, 1.0, 10.0};  ///< epsilons of tempered draws

/// One row of the table, means over splits: a tenth of the records to learn from, the rest to be judged by.
struct CensusRow {
  double precision = 0;  ///< b: of the prior of each coefficient, whose ball has radius 10 / sqrt b
  double radius = 0;
  double epsilon = 0;  ///< what the draw costs in truth, one record replaced
  double ridge = 0;    ///< mean squared error of the untruncated posterior mean
  double drawn = 0;    ///< of one draw
  double ratio = 0;    ///< of the two
  double ratio_se = 0;
  double length = 0;  ///< of the posterior mean
  double acceptance = 0;
  std::array<double, kTempers.size()> tempered{};  ///< the ratio of a tempered draw that costs so much
  std::array<double, kTempers.size()> tempered_se{};
};

[[nodiscard]] std::vector<CensusRow> run_census(const CensusPlan& plan, const Progress& progress);

// precision,radius,epsilon,ridge_mse,draw_mse,ratio,ratio_se,length,acceptance,tempered_E,tempered_E_se ...
void write_census(const std::filesystem::path& file, const std::vector<CensusRow>& rows);

}  // namespace postern::zhang16
