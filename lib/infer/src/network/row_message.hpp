#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/noise/noisy_value.hpp"

#include "counts/cell.hpp"
#include "counts/sum_tree.hpp"
#include "numeric/window.hpp"

namespace postern::infer {

/// One row of a CPT, as the releases see it: a Dirichlet and the noisy values of its cells.
struct CptRow {
  std::span<const double> alpha;
  std::span<const std::vector<NoisyValue>> noisy_values;  ///< per cell; a cell may have none
};

/// Their weights; a count is at most `most`.
[[nodiscard]] std::vector<Cell> cells_of(const CptRow& row, std::int64_t most);

/// What a row whose variable has no children says about its total N, its probabilities and counts being
/// summed out (star_posterior.md):
///
///   m(N) = N! Gamma(alpha_0) / Gamma(N + alpha_0) (f_1 * ... * f_r)(N),   f_v as in counts/cell.hpp
///
/// and how its cells share a total out. Built from a tree of convolutions under one tilt.
class RowMessage {
 public:
  /// The totals 0..most within e^-depth of the one that the row makes most likely; each value is right to
  /// about 1e-11 of itself. For chains, which do not know beforehand where they will go.
  /// Fails: engine_limit where so many nats do not fit the range of a double.
  [[nodiscard]] static RowMessage everywhere(const CptRow& row, std::int64_t most, double depth = 200);

  /// Chernoff's bound on (f_1 * ... * f_r)(N), log_constant() aside: height - tilt (N - total).
  struct Bound {
    double tilt = 0;
    double total = 0;
    double height = 0;
  };
  /// Totals that matter to somebody else, who expects them near the anchor.
  struct View {
    Window totals;
    std::int64_t most = 0;  ///< of all totals that are possible
    std::int64_t anchor = 0;
    double tilt = 0;  ///< one under which the expected total is about the anchor
    double nats = 0;  ///< of the product law under the tilt all but e^-nats is kept; infinity keeps all
    Care care = Care::of_largest;
    std::span<const Bound> bounds = {};  ///< what is known where the sums are not to be trusted
  };
  RowMessage(const CptRow& row, const View& view);

  [[nodiscard]] Window window() const {
    return {lo_, lo_ + static_cast<std::int64_t>(log_weight_.size()) - 1};
  }
  /// log m(N) less log_constant(), for N from window().lo on.
  [[nodiscard]] std::span<const double> log_weights() const { return log_weight_; }
  /// The same at one N >= 0. Outside of the window a line with the slope at its end: such totals weigh
  /// nothing, but a chain that starts there must find its way.
  [[nodiscard]] double log_at(std::int64_t total) const;
  /// What all values share; as large as -1e30 where a released value is far from every count.
  [[nodiscard]] double log_constant() const { return log_constant_; }
  /// Bounds on the relative error of m(N), for N from window().lo on. Empty if there is none to speak of.
  [[nodiscard]] std::span<const double> errors() const { return errors_; }

  [[nodiscard]] std::size_t cells() const { return tree_.cells(); }
  [[nodiscard]] const SumTree& tree() const { return tree_; }
  /// One draw of the counts, given their sum. Thread-safe. @pre window().contains(total)
  void draw(std::int64_t total, std::span<std::int64_t> counts, Rng& rng) const {
    tree_.share_out(total, counts, rng);
  }

 private:
  struct Parts;
  explicit RowMessage(Parts parts);
  void weigh(const Parts& parts);

  SumTree tree_;
  std::int64_t lo_ = 0;
  std::vector<double> log_weight_;
  double log_constant_ = 0;
  std::vector<double> errors_;
};

}  // namespace postern::infer
