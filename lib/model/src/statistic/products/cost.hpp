#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/encoded_number.hpp"

#include "statistic/products/coupled_sums.hpp"

namespace postern::model {

/// Whole vectors y with lo <= y <= hi.
struct VectorBox {
  std::vector<std::int64_t> lo;
  std::vector<std::int64_t> hi;

  [[nodiscard]] std::size_t size() const { return lo.size(); }
  [[nodiscard]] bool single(std::size_t i) const { return lo[i] == hi[i]; }
};

/// A quadratic that is nowhere in a box below the cost:
/// cost(centre + h) <= at + sum_i (slope_i h_i + bend_i h_i^2) + sum_{i<j} twist_ij h_i h_j.
/// In coarse units.
struct Majorant {
  std::vector<std::int64_t> centre;
  Integer at;
  std::vector<Integer> slope;
  std::vector<Integer> bend;
  std::vector<Integer> twist;  ///< at i * size + j, symmetric
};

/// What it costs to replace a vector: the worst pair is one of the vector K of farthest ends and some y
/// with -m <= y <= K (cost.md, "One vector is at the far ends"), at a cost of
///   sum_i a_i (K_i - y_i)^p + sum_{i<=j} a_ij (K_i K_j - y_i y_j)^p,   p = 1 (pure) or 2 (zCDP).
/// A cost is a whole number of units as fine as the weights need. Only majorants are in coarse units, a
/// power of two of these, with every weight rounded up: they stay short whatever noise a document states.
class ProductCost {
 public:
  ProductCost(const CoupledSums& sums, const std::vector<LevelEnds>& ends, Currency currency);

  [[nodiscard]] std::size_t size() const { return far_.size(); }
  /// All y that there are.
  [[nodiscard]] const VectorBox& whole() const { return whole_; }
  [[nodiscard]] Integer operator()(const std::vector<std::int64_t>& y) const { return sum(fine_, y); }
  struct Range {
    Integer least;
    Integer most;
  };
  /// Bounds on cost(y + e_i) - cost(y) for y in the box, except that y_i runs from `first` to `last`.
  [[nodiscard]] Range steps(std::size_t i, std::int64_t first, std::int64_t last, const VectorBox& box) const;
  /// Is the cost surely convex in y_i all over the box, so that an end of y_i is worst?
  [[nodiscard]] bool convex(std::size_t i, const VectorBox& box) const;
  [[nodiscard]] Majorant majorant(const VectorBox& box) const;
  /// Whether majorants are the cost itself, but for the rounding of weights.
  [[nodiscard]] bool quadratic() const { return !squared_; }

  [[nodiscard]] Integer coarse(const Integer& cost) const { return cost >> shift_; }  ///< rounded down
  [[nodiscard]] Rational in_budget(const Integer& cost) const { return cost * unit_; }
  [[nodiscard]] Rational coarse_in_budget(const Integer& cost) const { return in_budget(cost << shift_); }

 private:
  struct Weights {
    std::vector<Integer> sums;      ///< a_i
    std::vector<Integer> squares;   ///< a_ii
    std::vector<Integer> products;  ///< a_ij at i * size + j, symmetric, 0 for i = j
  };
  [[nodiscard]] Weights rounded_up(const Weights& weights) const;
  [[nodiscard]] Integer sum(const Weights& weights, const std::vector<std::int64_t>& y) const;
  [[nodiscard]] Range squared_steps(std::size_t i, std::int64_t first, std::int64_t last,
                                    const VectorBox& box) const;
  void set_slopes(Majorant& out) const;
  void set_plain_bends(Majorant& out) const;
  void set_squared_bends(Majorant& out, const VectorBox& box) const;

  bool squared_;
  Rational unit_;                  ///< what a cost of 1 costs
  std::size_t shift_ = 0;          ///< a coarse unit is 2^shift
  std::vector<std::int64_t> far_;  ///< K, at most 2^20
  VectorBox whole_;
  Weights fine_;
  Weights coarse_;
};

}  // namespace postern::model
