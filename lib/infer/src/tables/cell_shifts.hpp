#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::infer {

/// Factors Gamma(shift + c)^power of the counts c of cells whose shifts change while a chain runs: the
/// Dirichlet parameters of rows, which are A_r q_v for concentrations and centres that are learned. The
/// values of the shifts are in the chain's state; this says which of them belongs to which cell.
class CellShifts {
 public:
  struct Term {
    std::size_t shift = 0;  ///< its place in the state's shifts
    int power = 0;
  };

  void add(std::size_t cell, std::size_t shift, int power) { added_.push_back({cell, {shift, power}}); }
  /// To be called once, last: sorts the terms of `cells` cells.
  void finish(std::size_t cells) {
    first_.assign(cells + 1, 0);
    for (const Added& one : added_) ++first_[one.cell + 1];
    for (std::size_t cell = 0; cell < cells; ++cell) first_[cell + 1] += first_[cell];
    terms_.resize(added_.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Added& one : added_) terms_[next[one.cell]++] = one.term;
    added_.clear();
    added_.shrink_to_fit();
  }
  [[nodiscard]] std::span<const Term> of(std::size_t cell) const {
    return std::span(terms_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
  }
  [[nodiscard]] bool none() const { return terms_.empty(); }

 private:
  struct Added {
    std::size_t cell = 0;
    Term term;
  };
  std::vector<Added> added_;
  std::vector<std::size_t> first_{0};
  std::vector<Term> terms_;
};

}  // namespace postern::infer
