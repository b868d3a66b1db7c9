#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// The exact posterior of a network of one root and its children (naive Bayes), or of a root alone: no MCMC,
/// no CLT (star_posterior.md beside the source). The root's levels are called classes.
///
/// Cells are those of all CPTs: families in the order of their variables, each row-major.
class StarPosterior {
 public:
  /// Whether the network has exactly one root, and every other variable has it as its only parent; and a
  /// prior that is not learned. Fails: bad_value for a problem that is none (sizes that do not match, alpha
  /// <= 0, values not finite).
  [[nodiscard]] static bool fits(const NetworkProblem& problem);
  /// @pre fits(problem)
  [[nodiscard]] static CountForecast forecast(const NetworkProblem& problem);

  /// Fails: bad_value unless fits(problem); engine_limit beyond the memory limit, or where released values
  /// contradict each other beyond what a double holds.
  StarPosterior(const NetworkProblem& problem, std::size_t memory_limit, int threads);
  StarPosterior(StarPosterior&&) noexcept;
  StarPosterior& operator=(StarPosterior&&) noexcept;
  ~StarPosterior();

  [[nodiscard]] std::size_t cells() const;
  /// log p(y): the sum over everything latent of prior x multinomials x noise pmf.
  [[nodiscard]] double log_evidence() const;

  // Exact summaries, of theta in one cell and of n.
  [[nodiscard]] double mean(std::size_t cell) const;
  [[nodiscard]] double sd(std::size_t cell) const;
  [[nodiscard]] CountPosterior::TotalSummary total() const;
  [[nodiscard]] double total_probability(std::int64_t n) const;
  [[nodiscard]] double total_quantile(double p) const;

  /// One i.i.d. draw: fills theta (size cells()), returns n. Thread-safe. `counts`: of records in each cell,
  /// or empty.
  std::int64_t draw(std::span<double> theta, Rng& rng, std::span<double> counts = {}) const;

  // Exact predictions for one more record, given as the level of each variable, -1 where it is missing.
  // Averaging draws instead loses accuracy, the more the more variables there are.

  /// log p(class = c, the levels given | y) for every class c; the record's own class is not looked at.
  [[nodiscard]] std::vector<double> log_joint(std::span<const std::int32_t> record) const;
  /// log p(the levels given | y), the class among them unless it is missing.
  [[nodiscard]] double log_predictive(std::span<const std::int32_t> record) const;
  /// p(class = c | the other levels given, y).
  [[nodiscard]] std::vector<double> class_probabilities(std::span<const std::int32_t> record) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace postern::infer
