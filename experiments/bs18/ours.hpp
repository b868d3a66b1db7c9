#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/number/problem.hpp"

#include "paper_mode.hpp"

/// The same questions put to the library's engines. They are told the noise is discrete Laplace of rate
/// 1 / scale; up to a constant its pmf is the density of the continuous noise of paper mode, at real y too.
namespace postern::bs18 {

/// Draws that a posterior is judged by.
inline constexpr std::size_t kPoints = 300;

/// Counts seen through Laplace noise of this scale; n public. An empty y leaves its cell unseen.
struct SeenCounts {
  std::size_t n = 0;
  std::vector<double> alpha;
  std::vector<std::optional<double>> y;
  double scale = 1;
};
[[nodiscard]] Sample exact_counts(const SeenCounts& seen, Rng& rng);
[[nodiscard]] Sample gibbs_counts(const SeenCounts& seen, Rng& rng);

/// Exponential records, clamped to bounds on a grid of 1/100 and rounded to it, as an owner of the library
/// would release them under replace-one.
class ClampedExponential {
 public:
  ClampedExponential(double shape, double rate, const Bounds& bounds);
  /// What a record adds to the released sum.
  [[nodiscard]] double adds(double x) const;
  [[nodiscard]] double sensitivity() const;
  [[nodiscard]] Sample exact(std::size_t n, double y, double scale, Rng& rng) const;

 private:
  [[nodiscard]] infer::NumberProblem seen(std::size_t n, double y, double scale) const;
  infer::NumberProblem problem_;
};

}  // namespace postern::bs18
