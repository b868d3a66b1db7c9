#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// A table of counts whose prior is learned from the release (docs/priors.md). The first column's shares are
/// Dirichlet(A / levels). Given the columns before it, each row of the shares of a later column j is
/// Dirichlet(A q_j), with a concentration A of its own, log-uniform on a grid.
struct LearnedTable {
  std::vector<std::uint32_t> sizes;                   ///< levels of each column; cells are row-major
  std::vector<std::vector<NoisyValue>> noisy_values;  ///< per cell
  std::vector<std::int64_t> public_rows;              ///< exact counts beside the records'; may be empty
  std::optional<std::int64_t> n;                      ///< where it is public
  std::int64_t at_most = 0;                           ///< else uniform on 0..at_most
  double scale = 1;                                   ///< by which the whole grid is multiplied
  std::size_t cells() const { return noisy_values.size(); }
};

/// The shares around which each column's rows lie; those of the first column are even.
using Centres = std::vector<std::vector<double>>;
[[nodiscard]] Centres even_centres(const LearnedTable& table);

/// The concentrations that a row of so many cells may have, all as likely.
[[nodiscard]] std::vector<double> concentrations(std::size_t cells, double scale);

/// One draw of everything.
struct LearnedDraw {
  std::int64_t n = 0;
  std::vector<std::int64_t> counts;
  std::vector<double> theta;
};

/// The posterior given n and the centres, exactly: messages of rows, as in count_posterior.md, each a mixture
/// over the grid of concentrations (learned_table.md).
class LearnedCounts {
 public:
  /// For n in lo..hi. Throws engine_limit where the values contradict each other or n too deeply for doubles.
  LearnedCounts(const LearnedTable& table, const Centres& centres, std::int64_t lo, std::int64_t hi,
                int threads = 1);
  LearnedCounts(LearnedCounts&&) noexcept;
  ~LearnedCounts();
  /// log p(y | n, centres): minus infinity outside lo..hi.
  [[nodiscard]] double log_evidence(std::int64_t n) const;
  /// Fills counts and theta for out.n. @pre lo <= out.n <= hi
  void draw(LearnedDraw& out, Rng& rng) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

/// What the posterior takes from coarse facts alone.
struct LearnedCut {
  bool n = false;        ///< n, where it is private, from the released totals
  bool centres = false;  ///< each column's centre from its margin
};
[[nodiscard]] LearnedCut cut_of(const LearnedTable& table);

/// Draws of the cut posterior. Centres and n are drawn in 16 to 64 sets (n in strata), the fewer the more one
/// costs, and everything else exactly given them.
class LearnedPosterior {
 public:
  struct Options {
    std::uint64_t seed = 1;
    int threads = 0;
    std::size_t draws = 4000;
    std::size_t memory_limit = std::size_t{2} << 30;
  };

  LearnedPosterior(LearnedTable table, const Options& options);
  LearnedPosterior(LearnedPosterior&&) noexcept;
  ~LearnedPosterior();

  /// Sets of centres.
  [[nodiscard]] std::size_t sets() const;
  /// Bytes that one set needs.
  [[nodiscard]] static double forecast_bytes(const LearnedTable& table);
  /// CPU seconds that so many draws take, within a factor of about three.
  [[nodiscard]] static double forecast_seconds(const LearnedTable& table, std::size_t draws);
  /// Calls take(i, set, draw) once for each i below the number of draws, from several threads; a set is drawn
  /// in one of them.
  void draw_all(const std::function<void(std::size_t, std::size_t, const LearnedDraw&)>& take,
                const Conversation& conversation) const;
  /// Draws of n alone, and of one column's centre given n.
  [[nodiscard]] std::int64_t draw_n(Rng& rng) const;
  [[nodiscard]] std::vector<double> draw_centre(std::size_t column, std::int64_t n, Rng& rng) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace postern::infer
