#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/augment/level_finder.hpp"
#include "postern/infer/kinds/number/augment/whole_table.hpp"
#include "postern/infer/kinds/number/kept_theta.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/totals_noise.hpp"

namespace postern::infer {

/// Markov chain on p(theta, t_1..t_n, n | y): the records themselves are latent (Ju et al. 2022). It targets
/// the posterior for every law, clamp and noise; there is no central limit anywhere. A step is
///  - theta | t: conjugate, or by slices where the column drops records: then n counts those that are kept,
///    and they have the law cut to the column's range (kept_range.hpp), wherever a law of records is named;
///  - swaps: for every record t' ~ law(theta), accepted by the noise of the changed sums. Under epsilon-DP by
///    replacement the acceptance is at least e^-epsilon (twice the exponent under add-remove);
///  - blocks: two to four records drawn afresh together, where noise is so small that swaps fail;
///  - offers: one t' ~ law(theta) that any record may take, chosen by weight (SOMA), where noise is so small
///    that swaps fail;
///  - resizing, where n is latent: m records are added or the last m removed, theta kept or moving against n;
///  - re-drawing: theta moves and all records with it, kept in proportion where the law only shifts and
///    scales, drawn afresh elsewhere ("ancillary", Yu & Meng 2011), so that noise wider than the sums' own
///    spread does not slow the chain.
/// The first kTuning steps of a state choose the sizes of steps and the number of offers; they are warm-up.
class RecordChain {
 public:
  static constexpr int kTuning = 200;
  static constexpr double kMostRecords = 1e7;
  static constexpr double kBytesPerRecord = 24;

  struct Tuning {
    int steps = 0;                        ///< taken, up to kTuning
    std::array<double, 2> log_scale{};    ///< of a random walk, per parameter
    std::array<double, 2> redraw_rate{};  ///< share of the last re-drawings that were accepted
    double swap_rate = 1;                 ///< likewise of swaps
    double offer_rate = 0;                ///< and of offers
    std::size_t offers = 1;               ///< per step
    std::size_t blocks = 0;               ///< per step
    std::array<std::size_t, 2> pause{};   ///< steps between re-drawings
    std::array<std::size_t, 2> waited{};
  };
  struct State {
    model::Hyper prior{};  ///< of theta: the problem's, and records of other sets where there are some
    std::vector<KeptRecords> others;  ///< those sets, where records were dropped
    bool alone = true;                ///< there are no other sets
    model::Theta theta{};
    std::vector<double> t;
    std::vector<std::int32_t> k;  ///< what each record adds
    Totals totals;
    std::vector<double> other_t;  ///< of a proposal, or weights of an offer
    std::vector<std::int32_t> other_k;
    model::KeptMass mass, other_mass;  ///< at theta, and at the theta of a proposal
    WholeTable table;                  ///< of draws at one theta
    Tuning tuning;
  };
  /// Of the swaps of one step.
  struct Info {
    std::size_t proposed = 0;
    std::size_t accepted = 0;
  };

  /// Throws bad_value; engine_limit where n may pass kMostRecords.
  explicit RecordChain(NumberProblem problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return problem_.parameters + (latent_ ? 1 : 0); }
  void read(const State& state, std::span<double> out) const;
  /// What the records add up to: n, sum, squares, records inside.
  static void latents(const State& state, std::span<double> out, Rng& rng);

  // For a chain on several record sets (pooled_records.hpp).
  struct ThetaProposal {
    model::Theta theta{};
    double log_ratio = 0;  ///< of prior over proposal
  };
  /// Theta moved by `step`: in units of the column's width, in log theta, or in its log odds.
  [[nodiscard]] ThetaProposal walk(const State& state, std::size_t parameter, double step) const;
  /// Theta drawn from the prior, or near to what was seen.
  [[nodiscard]] ThetaProposal leap(const State& state, Rng& rng) const;
  /// The prior of theta after these records; nothing where their sums have left the law's range by rounding.
  [[nodiscard]] std::optional<model::Hyper> after(const model::Hyper& prior, std::span<const double> t) const;
  /// Leaves `size` records that follow theta, or are drawn afresh, beside the state's own. Nothing where they
  /// cannot be.
  [[nodiscard]] std::optional<Totals> follow(State& state, const model::Theta& theta, std::size_t size,
                                             Rng& rng) const;
  /// Of the noise, with these totals in place of the state's.
  [[nodiscard]] double log_ratio(const Totals& to, const State& state) const {
    return noise_.log_ratio(to, state.totals);
  }
  [[nodiscard]] const model::KeptRange& kept() const { return kept_; }
  /// A theta below this puts every record beyond the range (but for 1e-30 a record): nothing that is seen
  /// depends on it, and its records would leave the range of doubles before it does. Such thetas are drawn
  /// from the prior among themselves, their records are not looked at, and moves between them and others draw
  /// records afresh. Minus infinity where there are none.
  [[nodiscard]] double flat_below() const { return flat_below_; }
  /// Several sets must agree about it.
  void set_flat_below(double theta) { flat_below_ = theta; }
  /// Makes what was left beside the state's records its own.
  static void take(State& state, const model::Theta& theta, const Totals& totals);

  /// The largest n the chain may visit: all of p(n | counts) but e^-70 where counts were released.
  [[nodiscard]] static double most_records(const NumberProblem& problem);

 private:
  [[nodiscard]] double find_flat() const;
  [[nodiscard]] bool flat(const model::Theta& theta) const { return theta[0] < flat_below_; }
  [[nodiscard]] bool walkable(const model::Theta& theta, std::size_t parameter) const;
  [[nodiscard]] std::optional<model::Hyper> find_informed() const;
  [[nodiscard]] double log_leap(const State& state, const model::Theta& theta) const;
  [[nodiscard]] std::size_t guess_size(Rng& rng) const;
  [[nodiscard]] model::Theta guess_theta(std::size_t n, Rng& rng) const;
  /// At the theta of the mass. `table`: null, or filled there.
  void draw_records(const model::KeptMass& mass, const WholeTable* table, std::span<double> t,
                    std::span<std::int32_t> k, Rng& rng) const;
  /// The state's table, filled for so many draws; null where the law's own draw is used.
  [[nodiscard]] const WholeTable* tabulate(State& state, const model::Theta& theta, std::size_t draws) const;
  void draw_kept(const model::KeptMass& mass, const WholeTable* table, std::span<double> t, Rng& rng) const;
  [[nodiscard]] model::KeptMass mass_at(model::Theta theta) const;
  void start_kept(State& state, Rng& rng) const;
  void draw_theta(State& state, Rng& rng) const;
  /// What the others' records that were dropped say about one theta against another.
  [[nodiscard]] static double log_others(const State& state, const model::Theta& to);
  [[nodiscard]] Totals add_up(std::span<const std::int32_t> k) const;
  void tune(State& state) const;

  // Given theta (swaps.cpp, offers.cpp, resizing.cpp).
  Info swap_records(State& state, Rng& rng) const;
  template <class Watch>
  std::size_t swap_all(State& state, Watch watch, Rng& rng) const;
  std::size_t swap_blocks(State& state, std::size_t tries, Rng& rng) const;
  [[nodiscard]] bool offer_record(State& state, Rng& rng) const;
  void weigh_offer(State& state, std::int32_t k) const;
  [[nodiscard]] double draw_change(Rng& rng) const;
  void resize(State& state, Rng& rng) const;
  void add_records(State& state, std::size_t m, double log_u, Rng& rng) const;
  void remove_records(State& state, std::size_t m, double log_u) const;

  // Theta and all records (redrawing.cpp).
  [[nodiscard]] bool try_records(State& state, const model::Theta& theta, std::size_t size, double log_u,
                                 Rng& rng) const;
  void redraw(State& state, std::size_t parameter, Rng& rng) const;
  void redraw_in_turn(State& state, Rng& rng) const;
  void slide(State& state, Rng& rng) const;

  NumberProblem problem_;
  LevelFinder finder_;
  model::KeptRange kept_;
  double most_;
  TotalsNoise noise_;
  bool latent_ = false;
  bool shifts_and_scales_ = false;
  bool rising_ = true;  ///< the mean of t grows with the first parameter
  double farthest_;     ///< |t| beyond this is not told apart: its powers would overflow
  double flat_below_;
  std::optional<model::Hyper> informed_;  ///< a vague prior after one record such as were seen
};

/// Totals after a record that added `from` adds `to`.
[[nodiscard]] inline Totals exchanged(const Totals& totals, std::int32_t to, std::int32_t from,
                                      const LevelFinder& finder) {
  const double a = to;
  const double b = from;
  const int inside = static_cast<int>(finder.inside(to)) - static_cast<int>(finder.inside(from));
  return {totals.n, totals.sum + (a - b), totals.squares + (a - b) * (a + b), totals.inside + inside};
}

/// Is the law that of mean(theta) + deviation(theta) z, z of one law? Then records can follow theta.
[[nodiscard]] bool shifts_and_scales(const model::NumberLaw& law, std::size_t parameters);

}  // namespace postern::infer
