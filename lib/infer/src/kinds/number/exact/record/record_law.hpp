#pragma once

#include <memory>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"

#include "kinds/number/exact/sum/sum_noise.hpp"

namespace postern::infer {

/// The law of what one record adds, in steps of a SumLattice: places, rising, and their probabilities.
struct RecordNodes {
  std::vector<double> at;
  std::vector<double> mass;
  bool whole = true;  ///< every place is a whole number
  double pitch = 1;   ///< the law is that of the record down to this distance

  void clear() {
    whole = true;
    pitch = 1;
    at.clear();
    mass.clear();
  }
  void add(double place, double probability) {
    at.push_back(place);
    mass.push_back(probability);
  }
};

class LevelBlocks;

/// What one record adds, for any theta: level by level, or in blocks where the levels are many.
class RecordLaw {
 public:
  /// `n`: about how many records there are, which says how narrow blocks must be.
  RecordLaw(const NumberProblem& problem, double n);
  ~RecordLaw();

  [[nodiscard]] const SumLattice& lattice() const { return lattice_; }
  /// Returns whether any record can be kept at this theta.
  bool nodes(const model::Theta& theta, RecordNodes& out) const;

 private:
  [[nodiscard]] bool level_nodes(const model::Theta& theta, RecordNodes& out) const;
  [[nodiscard]] bool fine_nodes(const model::Theta& theta, RecordNodes& out) const;
  [[nodiscard]] bool far_nodes(const model::Theta& theta, RecordNodes& out) const;

  const model::NumberLaw& law_;
  const model::EncodedNumber& number_;
  bool whole_;  ///< t is a whole number
  SumLattice lattice_;
  std::vector<double> place_;  ///< of each level
  std::unique_ptr<LevelBlocks> fine_;
};

}  // namespace postern::infer
