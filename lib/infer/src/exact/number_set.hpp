#pragma once

#include <cstdint>
#include <optional>

#include "postern/infer/number_problem.hpp"

#include "number_density.hpp"
#include "number_record.hpp"
#include "number_theta.hpp"
#include "number_total_law.hpp"
#include "number_totals.hpp"

namespace postern::infer {

/// What one record set says about theta, and the law of its n.
class NumberSet {
 public:
  explicit NumberSet(NumberProblem problem);

  [[nodiscard]] const NumberProblem& problem() const { return problem_; }
  [[nodiscard]] const RecordLaw& record() const { return record_; }
  [[nodiscard]] double records() const { return records_; }  ///< n, or a guess of it
  [[nodiscard]] bool latent() const { return weight_.has_value(); }

  /// log p(sights | theta) but for sight_constant, as well as it must be known. Thread-safe.
  [[nodiscard]] double log_at(double theta, const Known& known) const;
  /// To be called once the density of theta is known, before anything below.
  void settle(const LineDensity& density, const ThetaLine& line, int threads);

  [[nodiscard]] double total_mean() const { return total_ ? total_->mean() : records_; }
  [[nodiscard]] double total_sd() const { return total_ ? total_->sd() : 0; }
  [[nodiscard]] double total_quantile(double p) const;
  /// n given theta.
  [[nodiscard]] std::int64_t draw_total(double z, Rng& rng) const;

 private:
  [[nodiscard]] TotalTable table_at(double theta) const;
  void refuse_unweighable(double theta) const;

  NumberProblem problem_;
  double records_;
  RecordLaw record_;
  std::optional<CountWeight> weight_;  ///< of a latent n
  std::optional<TotalLaw> total_;      ///< likewise, once settled
};

}  // namespace postern::infer
