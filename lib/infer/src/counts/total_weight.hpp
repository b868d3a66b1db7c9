#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"

#include "numeric/window.hpp"

namespace postern::infer {

/// The weight of the number of records n, apart from what the cells say (count_posterior.md):
///
///   h(n) = p(n) * n! Gamma(alpha0) / Gamma(n + alpha0)
///
/// The factor beside p(n) is what the cells' weights f_k leave out; it is a constant only when n is known.
class TotalWeight {
 public:
  /// A latent total is a `multiple`; what follows is the same smooth h for every n, possible or not.
  TotalWeight(double alpha0, const std::variant<KnownTotal, LatentTotal>& total, std::int64_t multiple = 1);

  [[nodiscard]] Window support() const { return support_; }
  [[nodiscard]] bool known() const { return support_.lo == support_.hi; }
  [[nodiscard]] std::int64_t multiple() const { return multiple_; }
  /// Of log p(n).
  [[nodiscard]] double log_slope() const { return log_slope_; }
  /// log h(n), constants included. Also between integers.
  [[nodiscard]] double log_at(double n) const;
  /// log h(n) - log h(from), without cancellation.
  [[nodiscard]] double log_ratio(double n, double from) const;
  /// d log h / dn, to the accuracy of a difference over one record.
  [[nodiscard]] double slope(double n) const;
  /// From h(x + y) e^{-tilt x} to h(x - 1 + y) e^{-tilt (x - 1)}, for each y and its value.
  void step_down(double x, double tilt, std::span<const double> y, std::span<double> value) const;
  /// h(n) e^{-tilt (n - anchor)} / h(anchor) on a window, at every n or at the multiples of `pitch` only.
  [[nodiscard]] std::vector<double> relative(Window window, double tilt, std::int64_t anchor,
                                             std::int64_t pitch = 1) const;

 private:
  double alpha0_;
  Window support_;
  std::int64_t multiple_ = 1;
  double log_slope_ = 0;
  double log_norm_ = 0;  ///< of p(n)
};

}  // namespace postern::infer
