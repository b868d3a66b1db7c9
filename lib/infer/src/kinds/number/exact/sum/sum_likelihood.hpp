#pragma once

#include <cstdint>
#include <list>

#include "postern/infer/kinds/number/problem.hpp"

#include "characteristic_function.hpp"
#include "kinds/number/exact/accuracy_goal.hpp"
#include "kinds/number/exact/record/record_law.hpp"
#include "lattice.hpp"

namespace postern::infer {

/// log p(y | theta, n) at one theta, for any n: the sum over everything that n records can add up to, of its
/// probability times the noise.
class SumLikelihood {
 public:
  SumLikelihood(const NumberProblem& problem, const RecordLaw& record, const model::Theta& theta);

  /// Is there a record that can be kept at this theta?
  [[nodiscard]] bool possible() const { return possible_; }
  /// What is worked out for one n serves others near it.
  [[nodiscard]] double log_at(std::int64_t n);
  /// As well as it must be known.
  [[nodiscard]] double log_at(std::int64_t n, const AccuracyGoal& goal);
  /// To about 1e-4 where that is less work.
  [[nodiscard]] double roughly_log_at(std::int64_t n);
  [[nodiscard]] const RecordNodes& nodes() const { return nodes_; }
  [[nodiscard]] const SumLattice& lattice() const { return record_.lattice(); }
  /// Of one record.
  [[nodiscard]] double mean() const { return plain_.mean; }
  [[nodiscard]] double variance() const { return plain_.variance; }
  /// Whether all multisets of n nodes can be listed.
  [[nodiscard]] bool few(std::int64_t n) const;

 private:
  struct Cached {
    double least = 0;
    double most = 0;
    CharacteristicFunction sums;
  };
  [[nodiscard]] double log_afresh(std::int64_t n, const SumNoise& noise);
  [[nodiscard]] double log_outright(std::int64_t n, const SumNoise& noise,
                                    const LatticeResolution& resolution) const;

  const NumberProblem& problem_;
  const RecordLaw& record_;
  RecordNodes nodes_;
  bool possible_;  ///< set when the nodes are
  TiltedRecord plain_;
  TiltedRecord tilted_;
  std::list<Cached> cached_;
};

}  // namespace postern::infer
