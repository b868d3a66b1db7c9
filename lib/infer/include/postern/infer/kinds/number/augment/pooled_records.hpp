#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

namespace postern::infer {

/// Markov chain on p(theta, records and n of every set | y), several record sets behind one theta. Given the
/// records of all other sets, a set is a problem of its own whose prior has seen them: each is stepped as
/// such in turn. Then theta moves with the records of all sets at once, which no set alone could do where
/// noise is wider than the sums' own spread.
class PooledRecords {
 public:
  struct State {
    std::vector<RecordChain::State> sets;
    std::array<double, 2> log_scale{};  ///< of the common move, per parameter
    int steps = 0;                      ///< up to RecordChain::kTuning, for log_scale
    std::vector<Totals> proposed;
  };
  struct Info {};

  /// @pre the problems share law and prior. Throws as RecordChain.
  explicit PooledRecords(const std::vector<NumberProblem>& problems);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const;
  void read(const State& state, std::span<double> out) const;
  /// RecordChain's, set by set.
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  [[nodiscard]] bool see_others(State& state, std::size_t set) const;
  [[nodiscard]] bool try_all(State& state, const model::Theta& theta, double log_u, Rng& rng) const;
  void move_all(State& state, std::size_t parameter, Rng& rng) const;

  std::shared_ptr<const model::NumberLaw> law_;
  model::Hyper prior_;
  std::size_t parameters_;
  std::vector<RecordChain> chains_;
};

}  // namespace postern::infer
