#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "counts/message.hpp"
#include "row_problem.hpp"

namespace postern::infer {

/// m_A of a row of few narrow children, added up product by product. Every weight is right to its own last
/// digits, so that one tilt serves all sums.
class DirectSum {
 public:
  /// Is it cheaper than transforms, and no weight below what doubles hold?
  [[nodiscard]] static bool takes(const RowProblem& problem);
  /// @pre takes(problem)
  DirectSum(const RowProblem& problem, double concentration);

  /// m_A, the largest weight 1, and the logarithm of what was divided out. Empty if no sum has weight.
  [[nodiscard]] Message& message() { return message_; }
  [[nodiscard]] double log_scale() const { return log_scale_; }
  [[nodiscard]] std::span<const CrampedChild> cramped() const { return cramped_; }
  /// Products that it took.
  [[nodiscard]] double work() const { return work_; }
  /// Draws all counts, given their sum. @pre the sum has weight
  void share_out(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const;

 private:
  /// Weights of a child, or of the sum of the first children.
  struct Part {
    Window window;
    std::size_t first = 0;  ///< of weights_
  };
  [[nodiscard]] double at(const Part& part, std::int64_t s) const {
    return weights_[part.first + static_cast<std::size_t>(s - part.window.lo)];
  }
  [[nodiscard]] Part part_of(Window window);
  void add_leaf(const RowProblem& problem, std::size_t child, Window window, double shape, double growth);
  [[nodiscard]] Part add_up(const Part& a, const Part& b, Window keep);
  void finish(const Part& sum, double total, double growth);
  void find_cramped(const RowProblem& problem, const Part& sum);
  [[nodiscard]] double share_at(std::size_t child, std::int64_t end, const Part& sum) const;

  std::vector<double> weights_;
  std::vector<Part> leaves_;
  std::vector<Part> sums_;  ///< of the first child, the first two, … all but the last
  Message message_;
  double log_scale_ = 0;
  double work_ = 0;
  std::vector<CrampedChild> cramped_;
};

}  // namespace postern::infer
