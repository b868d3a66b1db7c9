#pragma once

#include <array>

#include "learned_target.hpp"

namespace postern::infer {

/// One evaluation, all that it computes on the way.
struct LearnedGlmTarget::Point {
  bool sloped = false;  ///< are slopes of the target's density wanted?
  /// What is known of the predictor's row and of sums without the chain.
  std::array<Known, kMostScatterColumns + 1> row, known;
  FewNumbers share;      ///< v_j of the slopes' prior
  FewNumbers t;          ///< the predictor: its mean, then its row C^T beta / sqrt n
  FewNumbers sums;       ///< the mean of y, then C^-1 sum (x - mean) y / sqrt n
  FewNumbers expected;   ///< the same, of records by the million
  FewNumbers beta;       ///< in the factor's order
  FewNumbers precision;  ///< of beta
  double spread = 0;     ///< of the predictor
  TargetMoments moments;
  Sloped variance;  ///< about n times that of sums
  Extra extra;
  /// Slopes of the density by sums, and by t behind them.
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * (kMostScatterColumns + 1), 1> by_both;
  ExtraSlope by_extra;
  FewNumbers by_log_share;
  FewNumbers by_log_pivot;  ///< log C_jj, through what is known

  /// As errors of slopes ask for coefficients; the first is not looked at.
  [[nodiscard]] FewNumbers theta() const {
    FewNumbers out(beta.size() + 1);
    out(0) = 0;
    out.tail(beta.size()) = beta;
    return out;
  }
};

}  // namespace postern::infer
