#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "problem.hpp"

namespace postern::infer {

/// The exact posterior of a choice about levels with a Dirichlet prior, where all tables of counts that there
/// could be can be listed: given one of them the probabilities are Dirichlet again.
class ChoiceMixture {
 public:
  /// Tables that would be listed; more than kMost of them count as that.
  static constexpr double kMost = 2e6;
  [[nodiscard]] static double tables(const ChoiceProblem& problem);
  /// Few enough of them for the candidates that there are?
  [[nodiscard]] static bool fits(const ChoiceProblem& problem);
  /// @pre fits(problem)
  explicit ChoiceMixture(const ChoiceProblem& problem);

  /// log P(choices and noisy counts).
  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  /// Mean and variance of a level's probability, and of n.
  struct Moments {
    double mean = 0;
    double variance = 0;
  };
  [[nodiscard]] Moments level(std::size_t x) const;
  [[nodiscard]] Moments total() const;
  /// Counts of the levels.
  [[nodiscard]] std::span<const std::int64_t> draw(Rng& rng) const;

 private:
  void list(const ChoiceProblem& problem, std::int64_t n, std::vector<double>& logs);

  std::vector<double> alpha_;
  std::vector<std::int64_t> counts_;  ///< tables x levels
  std::vector<double> cumulative_;    ///< of their weights
  double log_evidence_ = 0;
};

}  // namespace postern::infer
