#pragma once

#include <cstdint>
#include <optional>

#include "postern/infer/kinds/number/problem.hpp"

#include "kinds/number/exact/private_n/total_law.hpp"
#include "kinds/number/exact/private_n/total_table.hpp"
#include "kinds/number/exact/record/record_law.hpp"
#include "kinds/number/exact/theta/line_density.hpp"
#include "kinds/number/exact/theta/theta_line.hpp"

namespace postern::infer {

/// What one record set says about theta, and the law of its n.
class SetLikelihood {
 public:
  explicit SetLikelihood(NumberProblem problem);

  [[nodiscard]] const NumberProblem& problem() const { return problem_; }
  [[nodiscard]] const RecordLaw& record() const { return record_; }
  [[nodiscard]] double records() const { return records_; }  ///< n, or a guess of it
  [[nodiscard]] bool latent() const { return weight_.has_value(); }

  /// log p(noisy values | theta) but for noise_constant, as well as it must be known. Thread-safe.
  [[nodiscard]] double log_at(double theta, const AccuracyGoal& goal) const;
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
