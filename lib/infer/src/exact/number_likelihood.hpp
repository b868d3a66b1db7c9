#pragma once

#include <cstdint>

#include "postern/infer/number_problem.hpp"

#include "exact/number_record.hpp"

namespace postern::infer {

/// log p(y | theta, n): the sum over everything that n records can add up to, of its probability times the
/// noise. Safe to share.
class SumLikelihood {
 public:
  explicit SumLikelihood(const NumberProblem& problem) : problem_(problem), record_(problem) {}

  [[nodiscard]] const RecordLaw& record() const { return record_; }
  /// -infinity where no record can be kept.
  [[nodiscard]] double log_at(const model::Theta& theta, std::int64_t n) const;
  /// Of nodes that are at hand. `tilt`: where to begin looking for the tilt; where it was found.
  [[nodiscard]] double log_of(const RecordNodes& nodes, std::int64_t n, double& tilt) const;

 private:
  const NumberProblem& problem_;
  RecordLaw record_;
};

}  // namespace postern::infer
