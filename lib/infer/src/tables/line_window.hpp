#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// The weights of the states m = lo..hi along a line, each count being count + sign m, found by their ratios
/// from one m to the next: products of rational factors, so that a state costs a few multiplications and no
/// logarithm. A slice of the same line would miss counts of 0 that a sparse row makes likely: the weight has
/// a needle there, which an interval that shrinks rarely meets.
class LineWindow {
 public:
  /// @pre lo <= 0 <= hi
  void start(std::int64_t lo, std::int64_t hi);
  /// Gamma(shift + count + sign m)^power. @pre sign is 1 or -1, and shift + count + sign m > 0 in the window
  void gamma(double shift, int power, double count, int sign);
  /// exp(-curvature (count + sign m - centre)^2 / 2)
  void gaussian(double curvature, double centre, double count, double sign);
  /// exp(-rate |at - (count + sign m)|)
  void kink(double at, double rate, double count, double sign);
  void slope(double log) { slope_ += log; }  ///< e^{log m}
  /// Any factor, by the difference of its logarithm from m to m + 1.
  template <class LogRatio>
  void factor(const LogRatio& log_ratio) {
    for (std::size_t i = 0; i < logs_.size(); ++i) logs_[i] += log_ratio(lo_ + static_cast<std::int64_t>(i));
    plain_ = false;
  }
  /// m in proportion to its weight.
  [[nodiscard]] std::int64_t draw(Rng& rng);

 private:
  void fold();
  void multiply_noise();
  void weigh();

  std::int64_t lo_ = 0;
  std::size_t at_ = 0;         ///< where m = 0 is
  std::vector<double> above_;  ///< ratio of the weight of m + 1 to that of m, times below_
  std::vector<double> below_;
  std::vector<double> ratio_;
  std::vector<double> logs_;
  std::vector<double> weights_;
  int terms_ = 0;      ///< in above_ and below_
  bool plain_ = true;  ///< nothing is in logs_
  double slope_ = 0;
  double rise_ = 0;  ///< of the Gaussian factors: log ratio at m = 0, and its change per m
  double bend_ = 0;
};

/// Where a window of width `width` about 0 begins, at random: as likely to hold two states of a line
/// whichever of them it is drawn from.
[[nodiscard]] std::int64_t draw_offset(std::int64_t width, Rng& rng);

}  // namespace postern::infer
