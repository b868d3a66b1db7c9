#pragma once

#include <vector>

#include "postern/release/noise_law.hpp"

namespace postern::infer {

/// How far out independent noises of one law lie: the law of their size or of their sum, as a table.
///
/// Accuracy: exact for one noise, and for few Gaussian ones of small variance. Sizes of Gaussian noises
/// are otherwise chi-square, within 15 % for two and 2 % from five on; sums and sizes of Laplace noises are
/// by saddle point, within 4 % of the tail for two and 1 % from five on. Beyond twelve deviations the table
/// ends and what is said is an upper bound.
class NoiseTail {
 public:
  /// Of sum |e| (Laplace) or sum e^2 (Gaussian), over `count` noises.
  [[nodiscard]] static NoiseTail of_size(const release::NoiseLaw& law, std::size_t count);
  /// Of |sum e|.
  [[nodiscard]] static NoiseTail of_sum(const release::NoiseLaw& law, std::size_t count);

  /// P(as far out as x, or farther). Between whole numbers, where latent values are not whole, in between.
  [[nodiscard]] double at(double x) const;

 private:
  template <class LogTail>
  NoiseTail(double from, double step, std::size_t points, const LogTail& log_tail);

  double from_ = 0;
  double step_ = 1;
  std::vector<double> log_tail_;  ///< at from_ + i step_; certain below
};

/// What `of_size` is about.
[[nodiscard]] double size_of(const release::NoiseLaw& law, double noise);

}  // namespace postern::infer
