#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "postern/model/number_family.hpp"

#include "kinds/number/families/normal_law.hpp"

namespace postern::model {

/// A law of one parameter whose prior is a mixture of conjugate ones, itself conjugate: a prior is what
/// records have added to it, {n, sum of t}, and {0, 0} the mixture itself.
class LearnedLaw final : public NumberLaw {
 public:
  LearnedLaw(std::shared_ptr<const NumberLaw> law, std::vector<PriorTerm> terms)
      : law_(std::move(law)), terms_(std::move(terms)) {}

  [[nodiscard]] ParameterSpace space(std::size_t parameter) const override { return law_->space(parameter); }
  [[nodiscard]] Tails tails(const Theta& theta, double t) const override { return law_->tails(theta, t); }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override { return law_->moments(theta); }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    return law_->segment(theta, t);
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override { return law_->draw(theta, rng); }
  [[nodiscard]] bool possible(const Sums& sums) const override { return law_->possible(sums); }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.n, prior[1] + sums.t};
  }
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const override;
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const override;
  [[nodiscard]] double log_prior_on_line(const Hyper& prior, double z) const override;
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const override;
  [[nodiscard]] double least_shape(const Hyper& prior) const override;

 private:
  /// The terms after the records, with their shares, which add up to 1.
  [[nodiscard]] std::vector<PriorTerm> after(const Hyper& prior) const;

  std::shared_ptr<const NumberLaw> law_;
  std::vector<PriorTerm> terms_;
};

/// A normal law whose prior is a mixture of normal-inverse-gammas about a range: a prior is {middle of the
/// range, n, mean of the records from the middle, scatter about their mean, half the range}. Terms are in
/// units of half the range, from its middle.
class LearnedNormal final : public NormalLaw {
 public:
  explicit LearnedNormal(std::vector<PriorTerm> terms);

  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override;
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const override;
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const override;
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const override;
  [[nodiscard]] Hyper in_units(const Hyper& prior, double zero, double unit) const override;

 private:
  /// What records say, in units of half the range from its middle.
  struct Seen {
    double n = 0;
    double mean = 0;
    double scatter = 0;
  };
  [[nodiscard]] static Seen seen(const Hyper& prior);
  /// The log density of such records under each term, with its share, but for what all have in common.
  [[nodiscard]] std::vector<double> weights(const Seen& records) const;

  std::vector<PriorTerm> terms_;   ///< of one shape
  std::vector<double> constants_;  ///< of their densities, with the shares
};

}  // namespace postern::model
