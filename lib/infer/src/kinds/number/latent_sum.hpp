#pragma once

#include <span>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/totals_noise.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Draws what n records add up to, given theta, n and the released values. Records' sums are taken as normal
/// for it: right for some dozen records and more, and used for looking at the noise alone.
class LatentSum {
 public:
  /// The problem must outlive this.
  explicit LatentSum(const NumberProblem& problem);
  [[nodiscard]] Totals draw(const model::Theta& theta, double n, Rng& rng) const;

 private:
  struct Moments {
    double mean = 0;
    double variance = 0;
  };
  [[nodiscard]] Moments of_record(const model::Theta& theta) const;

  const NumberProblem* problem_;
  TotalsNoise noise_;
  std::vector<std::size_t> cuts_;  ///< edges between blocks of levels
};

/// What one record set's totals are, as latent values in the order of its released ones. NaN where that is
/// not known in the units in which they were released.
void tell_totals(const release::RecordSet& set, const NumberProblem& problem, const Totals& totals,
                 std::span<double> latent);
/// How many values that are.
[[nodiscard]] std::size_t released_values(const release::RecordSet& set);

}  // namespace postern::infer
