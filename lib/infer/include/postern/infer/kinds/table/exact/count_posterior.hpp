#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/table/problem.hpp"

namespace postern::infer {

/// What the exact engine would need, before it is built.
struct CountForecast {
  double bytes = 0;
  double operations = 0;
};

/// The exact posterior p(theta, s, n | y): no MCMC, no CLT (count_posterior.md beside the source).
/// A balanced tree of windowed, tilted convolutions; theta_k given y is a mixture of Betas.
class CountPosterior {
 public:
  [[nodiscard]] static CountForecast forecast(const CountProblem& problem);
  CountPosterior(const CountProblem& problem, std::size_t memory_limit, int threads);
  /// Nothing if it would need more than `most`.
  [[nodiscard]] static std::optional<CountPosterior> within(const CountForecast& most,
                                                            const CountProblem& problem, int threads);
  CountPosterior(CountPosterior&&) noexcept;
  CountPosterior& operator=(CountPosterior&&) noexcept;
  ~CountPosterior();

  [[nodiscard]] std::size_t cells() const;
  /// log p(y): the sum over everything latent of prior x multinomial x noise pmf.
  [[nodiscard]] double log_evidence() const;

  // Exact summaries.
  [[nodiscard]] double mean(std::size_t cell) const;
  [[nodiscard]] double sd(std::size_t cell) const;
  [[nodiscard]] double cdf(std::size_t cell, double theta) const;
  [[nodiscard]] double quantile(std::size_t cell, double p) const;
  [[nodiscard]] double expected_count(std::size_t cell) const;
  /// P(s_cell = s | y).
  [[nodiscard]] double count_probability(std::size_t cell, std::int64_t s) const;
  struct TotalSummary {
    double mean = 0, sd = 0;
  };
  [[nodiscard]] TotalSummary total() const;
  [[nodiscard]] double total_probability(std::int64_t n) const;
  [[nodiscard]] double total_quantile(double p) const;

  /// One i.i.d. draw: fills theta and s (sizes cells()), returns n. Thread-safe.
  std::int64_t draw(std::span<double> theta, std::span<std::int64_t> s, Rng& rng) const;

 private:
  struct Tree;
  explicit CountPosterior(std::unique_ptr<const Tree> tree);
  std::unique_ptr<const Tree> tree_;
};

}  // namespace postern::infer
