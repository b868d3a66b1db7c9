#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/graph/log_linear.hpp"

namespace postern::infer::markov {

/// An orthonormal basis of the directions of theta that change the law. A table is a sum of effects, one a
/// set of its variables; where several cliques have the same effect, only what they say together matters. So
/// there is one direction for each contrast of each effect, spread over its cliques such that it is
/// orthogonal to whatever merely moves the effect from one clique to another. Margins of the model move in
/// the span of the same basis.
class IdentifiableBasis {
 public:
  explicit IdentifiableBasis(const graph::LogLinear& model);
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }  ///< of theta
  /// theta = Q t
  void expand(std::span<const double> t, std::span<double> theta) const;
  /// out = Q^T v
  void reduce(std::span<const double> v, std::span<double> out) const;

 private:
  /// The rows of Q that belong to one clique.
  struct Block {
    std::size_t offset = 0;  ///< of its cells in theta
    std::size_t cells = 0;
    std::vector<std::size_t> columns;  ///< of Q that are not 0 here
    std::vector<double> entries;       ///< row-major: a row a cell
  };

  std::size_t rank_ = 0;
  std::size_t dimension_ = 0;
  std::vector<Block> blocks_;
};

/// How many columns the basis has, without making it: for refusals.
[[nodiscard]] double identifiable_rank(const graph::LogLinear& model);

}  // namespace postern::infer::markov
