#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/augment/level_finder.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/totals.hpp"
#include "postern/infer/kinds/multivariate_normal/problem.hpp"
#include "postern/infer/kinds/multivariate_normal/wishart.hpp"

namespace postern::infer {

/// Markov chain on p(mu, Sigma, x_1..x_n, n | y): the records themselves are latent, clamped, rounded and
/// multiplied as the owner does, so its law is the posterior itself. A step is
///  - the prior's scale | Sigma where that is loose;
///  - (mu, Sigma) | x: conjugate, from the records of all sets;
///  - swaps: for every record x' ~ Normal(mu, Sigma), accepted by the noise of the changed sums; one
///    coordinate at a time as well where whole swaps often fail;
///  - offers: one x' that any record may take, chosen by weight (SOMA), where noise is so small that swaps
///    fail;
///  - resizing, where n is latent: m records are added or the last m removed;
///  - re-drawing: (mu, Sigma) moves and all records with it by the same affine map ("ancillary", Yu & Meng
///    2011): one coordinate is shifted, stretched, or leans on another, or all move at once.
/// The first kTuning steps of a state choose the sizes of steps and the number of offers; they are warm-up.
/// Inside, every column is measured in widths of its range from the middle of it.
class VectorChain {
 public:
  static constexpr int kTuning = 300;
  static constexpr double kMostRecords = 2e6;
  /// Shifts, stretches about the mean and about a fixed point, leans of a column on another; the step of all.
  static constexpr std::size_t kMoves = 3 * kMostColumns + kMostColumns * kMostColumns + 1;

  struct Tuning {
    int steps = 0;                           ///< taken, up to kTuning
    std::array<double, kMoves> log_scale{};  ///< of each re-drawing
    double swap_rate = 1;                    ///< share of the last swaps that were accepted
    double offer_rate = 0;
    std::size_t offers = 1;  ///< per step and set
    bool parts = true;       ///< are coordinates swapped one by one?
  };
  /// The records of one set, column by column.
  struct Records {
    std::array<std::vector<double>, kMostColumns> x, other_x;        ///< and of a proposal
    std::array<std::vector<std::int32_t>, kMostColumns> k, other_k;  ///< what each adds
    std::vector<double> weight;                                      ///< of an offer's takers
    VectorTotals totals;

    [[nodiscard]] std::size_t size() const { return x[0].size(); }
  };
  struct State {
    NormalWishart law;  ///< the prior, a loose scale as it is now
    MeanAndSpread theta;
    std::vector<Records> sets;
    std::vector<VectorTotals> next;  ///< of a proposal
    Tuning tuning;
  };
  /// Of the swaps of whole records of one step.
  struct Info {
    std::size_t proposed = 0;
    std::size_t accepted = 0;
  };

  /// Throws bad_value, bad_prior; engine_unsuitable where records are dropped; engine_limit where there may
  /// be more than kMostRecords.
  explicit VectorChain(VectorProblem problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return sums_of(d_) + latent_; }
  /// mu, the upper triangle of Sigma row by row, n of every set where it is latent.
  void read(const State& state, std::span<double> out) const;
  /// n and the sums (VectorTotals) of every set.
  void latents(const State& state, std::span<double> out, Rng& rng) const;

  /// The largest n the chain may visit, all sets together.
  [[nodiscard]] static double most_records(const VectorProblem& problem);
  [[nodiscard]] static double bytes_per_record(std::size_t columns);

 private:
  struct Set {
    std::vector<LevelFinder> finders;
    VectorNoise noise;
    double most = 0;         ///< records
    double most_change = 1;  ///< records added or removed at once
    double log_slope = 0;    ///< of the prior of n
    bool latent = false;
  };

  // start.cpp
  [[nodiscard]] std::size_t guess_size(std::size_t set, Rng& rng) const;
  [[nodiscard]] VectorMoments guess_moments(std::size_t set, std::size_t n, Rng& rng) const;
  void place_records(Records& records, const Set& set, const VectorMoments& moments, Rng& rng) const;

  // chain.cpp
  [[nodiscard]] VectorMoments moments_of(const State& state) const;
  void add_up(Records& records) const;
  [[nodiscard]] VectorTotals add_up(const std::array<std::vector<std::int32_t>, kMostColumns>& k,
                                    std::size_t from, std::size_t to) const;
  void tune(State& state) const;

  // Given mu and Sigma: swaps.cpp, offers.cpp, resizing.cpp.
  void draw_records(const MeanAndSpread& theta, const Set& set, std::span<double* const> x,
                    std::span<std::int32_t* const> k, std::size_t size, Rng& rng) const;
  template <std::size_t D>
  [[nodiscard]] std::size_t swap_all(const MeanAndSpread& theta, const Set& set, Records& records,
                                     Rng& rng) const;
  [[nodiscard]] std::size_t swap_records(const MeanAndSpread& theta, const Set& set, Records& records,
                                         Rng& rng) const;
  void swap_column(const Row& leans, double mean, double deviation, std::size_t column, const Set& set,
                   Records& records, Rng& rng) const;
  void swap_columns(const MeanAndSpread& theta, const Set& set, Records& records, Rng& rng) const;
  [[nodiscard]] bool offer_record(const MeanAndSpread& theta, const Set& set, Records& records,
                                  Rng& rng) const;
  void resize(const MeanAndSpread& theta, const Set& set, Records& records, Rng& rng) const;

  // (mu, Sigma) and all records: redrawing.cpp.
  struct ColumnMove {
    std::size_t column = 0;
    double slope = 1;
    std::size_t other = 0;
    double lean = 0;  ///< on the other column
    double shift = 0;
    double log_jacobian = 0;
    MeanAndSpread theta;  ///< afterwards
  };
  [[nodiscard]] ColumnMove shifted(const MeanAndSpread& from, std::size_t column, double by) const;
  [[nodiscard]] ColumnMove stretched(const MeanAndSpread& from, std::size_t column, double by,
                                     double about) const;
  [[nodiscard]] ColumnMove leaning(const MeanAndSpread& from, std::size_t column, std::size_t other,
                                   double by) const;
  [[nodiscard]] double max_log_gain(const State& state) const;
  [[nodiscard]] VectorTotals moved(const ColumnMove& move, const Set& set, Records& records) const;
  [[nodiscard]] bool try_column(State& state, const ColumnMove& move, double log_u) const;
  [[nodiscard]] bool try_all(State& state, const MeanAndSpread& theta, double log_u) const;
  void move_column(State& state, std::size_t move, const ColumnMove& next, Rng& rng) const;
  [[nodiscard]] double draw_step(const State& state, std::size_t move, Rng& rng) const;
  void move_all(State& state, Rng& rng) const;
  void redraw(State& state, Rng& rng) const;

  VectorProblem problem_;  ///< as given
  std::size_t d_;
  Row middle_{}, width_{};
  NormalWishart prior_;  ///< in widths from the middle
  std::vector<Set> sets_;
  std::size_t latent_ = 0;  ///< sets whose n is
};

}  // namespace postern::infer
