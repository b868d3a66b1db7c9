#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "postern/infer/network/problem.hpp"

#include "cell_potentials.hpp"
#include "latent_tables.hpp"
#include "network_shape.hpp"

namespace postern::infer {

/// Choices of one split of one row, by the counts on both sides: exp(sum of slopes x counts) over a power of
/// the grid's normaliser. All draws of one law are one factor.
struct SplitFactor {
  std::size_t below = 0;  ///< cells of the two counts
  std::size_t above = 0;
  double slope_below = 0;
  double slope_above = 0;
  double times = 0;
  const GridLaw* law = nullptr;

  [[nodiscard]] double log_at(std::int64_t a, std::int64_t b) const {
    return slope_below * static_cast<double>(a) + slope_above * static_cast<double>(b) -
           times * law->log_normaliser(a, b);
  }
};

/// What is released of sums of cells: Fourier coefficients, and choices by the counts on both sides of a
/// split. Each is a sum over the records of a product, with one integer a variable that depends on its level.
/// Sums lie behind the cells of the tables in the array of counts, and may be negative.
class NetworkSums {
 public:
  NetworkSums() = default;  ///< none
  /// `first`: where sums begin in the array of counts. The problem's laws must outlive this.
  NetworkSums(const NetworkProblem& problem, const NetworkShape& shape, std::size_t first);

  [[nodiscard]] std::size_t size() const { return sums_.size(); }
  [[nodiscard]] const std::vector<SplitFactor>& factors() const { return factors_; }
  /// Noise of the coefficients. @pre potentials have a place for every sum
  void add_noise(const NetworkProblem& problem, CellPotentials& potentials, std::size_t total,
                 std::int64_t most) const;
  /// Behind each coefficient: its sum, or n. @pre counts are filled; `out` has a place for each
  void read_coefficients(std::span<const std::int64_t> counts, std::size_t total,
                         std::span<double> out) const;
  [[nodiscard]] std::size_t coefficients() const { return sum_of_coefficient_.size(); }
  /// All sums from the tables.
  void fill(const LatentTables& tables, std::span<std::int64_t> counts) const;

  /// Sums and factors whose variables hold all of some: those that a contrast of these changes.
  struct Touched {
    std::vector<std::size_t> sums;     ///< noised ones
    std::vector<std::size_t> factors;  ///< places in factors()
  };
  [[nodiscard]] Touched touched_by(const graph::Variables& of) const;

  [[nodiscard]] std::size_t cell(std::size_t sum) const { return first_ + sum; }
  /// How much a record adds.
  [[nodiscard]] std::int64_t of_record(std::size_t sum, std::span<const std::uint32_t> record) const;
  /// How much it changes if every variable of `of` goes from level b to a, with alternating signs.
  [[nodiscard]] std::int64_t of_contrast(std::size_t sum, const graph::Variables& of,
                                         std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                         std::span<const std::uint32_t> record) const;
  /// Adds `sign` record to every sum; returns what noise and choices say of it.
  double put(const CellPotentials& potentials, std::span<const std::uint32_t> record, int sign,
             std::span<std::int64_t> counts) const;

 private:
  struct Sum {
    graph::Variables variables;                      ///< of the core, increasing
    std::vector<std::vector<std::int64_t>> weights;  ///< of each, by level
  };
  void add_coefficients(const NetworkProblem& problem, const NetworkShape& shape);
  void add_choices(const NetworkProblem& problem, const NetworkShape& shape);
  /// Records of a row with a level in first..last-1.
  [[nodiscard]] std::size_t add_count(const NetworkProblem& problem, const NetworkShape& shape,
                                      const NetworkChoice& choice, bool below);

  std::size_t first_ = 0;
  std::vector<Sum> sums_;
  std::vector<std::size_t> sum_of_coefficient_;  ///< per coefficient of the problem; kNone for n
  std::vector<SplitFactor> factors_;
  static constexpr std::size_t kNone = ~std::size_t{0};
};

}  // namespace postern::infer
