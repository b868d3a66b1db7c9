#pragma once

#include <vector>

#include "kinds/number/exact/record/record_law.hpp"
#include "theta_line.hpp"

namespace postern::infer {

/// Where a record's mean is at the ends of the range (the first two places), and between. Outside, records
/// that are mapped or dropped look alike on both sides, and a wide prior would hide what is there. None where
/// records are clamped.
[[nodiscard]] std::vector<double> range_places(const NumberProblem& problem, const ThetaLine& line,
                                               const std::vector<double>& scan);

/// What one record adds on average, along the line.
class MeanScan {
 public:
  MeanScan(const RecordLaw& record, const ThetaLine& line, std::vector<double> places);

  /// Adds the places where the mean turns, as it does where outside values are mapped into the range: without
  /// them two roots could hide between neighbours. Returns them.
  std::vector<double> add_turns();
  /// Adds the places at which the mean is the target, and how far sampling n records smears them.
  void add_roots(double target, double n, std::vector<double>& breaks) const;

 private:
  struct Moments {
    double mean = 0;
    double variance = 0;
  };
  struct Range {
    double lo = 0;
    double hi = 0;
  };
  [[nodiscard]] Moments moments_at(double z) const;
  [[nodiscard]] double mean_at(double z) const { return moments_at(z).mean; }
  [[nodiscard]] double turn(Range range, double sign) const;
  void add_root(double z, double n, Range within, std::vector<double>& breaks) const;

  const RecordLaw& record_;
  const ThetaLine& line_;
  std::vector<double> place_;  ///< rising
  std::vector<double> mean_;   ///< NaN where no record is kept
};

}  // namespace postern::infer
