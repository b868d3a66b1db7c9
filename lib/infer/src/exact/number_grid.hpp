#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "postern/infer/number_problem.hpp"

#include "number_density.hpp"
#include "number_record.hpp"
#include "number_theta.hpp"
#include "number_totals.hpp"

namespace postern::infer {

/// theta on a line, and the law of n at each point where the density of theta was worked out.
class NumberGrid {
 public:
  NumberGrid(NumberProblem problem, int threads);

  [[nodiscard]] const ThetaLine& line() const { return line_; }
  [[nodiscard]] const LineDensity& density() const { return *density_; }
  [[nodiscard]] double log_evidence() const { return density_->log_integral() + sight_constant(problem_); }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }
  [[nodiscard]] double total_mean() const { return total_mean_; }
  [[nodiscard]] double total_sd() const { return total_sd_; }
  [[nodiscard]] double total_quantile(double p) const;
  /// n given theta: between two points the quantiles are interpolated.
  [[nodiscard]] std::int64_t draw_total(double z, Rng& rng) const;

 private:
  [[nodiscard]] double log_density(double z);
  void settle_totals();

  NumberProblem problem_;
  RecordLaw record_;
  ThetaLine line_;
  std::int64_t known_ = -1;  ///< n, where it is
  std::optional<CountWeight> weight_;
  std::mutex mutex_;
  std::map<double, TotalTable> made_;  ///< while the grid grows
  std::optional<LineDensity> density_;
  std::vector<double> place_;
  std::vector<TotalTable> table_;
  std::vector<double> share_;  ///< of each table in the law of n
  double mean_ = 0;
  double sd_ = 0;
  double total_mean_ = 0;
  double total_sd_ = 0;
};

}  // namespace postern::infer
