#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "problem.hpp"

namespace postern::infer {

/// A Markov chain on latent records (how many are at each level), the law's parameters and, where it is
/// private, n. Targets p(parameters, records, n | choices, noisy counts), exactly.
///
/// A re-drawing takes every record out with the same probability, draws parameters given those that stay
/// (LevelLaw::draw) and new records given the parameters, and is accepted by the odds of the choices and of
/// what LevelLaw::draw has left out. From all records at once to none, in halves: it moves at every scale. A
/// resizing adds d records from the law, or takes d out.
class ChoiceChain {
 public:
  struct State {
    LevelLaw::Theta theta;
    std::vector<std::int64_t> counts;
    std::int64_t n = 0;
    double log_choices = 0;
  };
  struct Info {
    int accepted = 0;
  };

  explicit ChoiceChain(const ChoiceProblem& problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return quantities_; }
  void read(const State& state, std::span<double> out) const;

 private:
  [[nodiscard]] bool redraw(State& state, double share, Rng& rng) const;
  [[nodiscard]] bool resize(State& state, std::int64_t by, Rng& rng) const;

  const ChoiceProblem& problem_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the chain
  std::size_t quantities_;
  bool latent_;
  std::int64_t at_most_ = 0;
  std::vector<std::int64_t> sizes_;  ///< of resizings
};

}  // namespace postern::infer
