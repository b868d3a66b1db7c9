#pragma once

#include <cstdint>
#include <memory>

#include "postern/core/rng.hpp"
#include "postern/infer/number_problem.hpp"

namespace postern::infer {

/// The exact posterior p(theta, n | y) of a family of numbers with one parameter: no MCMC, no CLT. After
/// encoding every record is one of finitely many levels, so the sum has a law on a lattice, and p(y | theta)
/// is its sum against the noise; theta is integrated on a grid that refines itself (noise-aware A4).
class NumberPosterior {
 public:
  /// Throws engine_unsuitable for two parameters and for sums of squares, engine_limit where double precision
  /// or the time limit do not suffice.
  NumberPosterior(NumberProblem problem, int threads);
  NumberPosterior(NumberPosterior&&) noexcept;
  NumberPosterior& operator=(NumberPosterior&&) noexcept;
  ~NumberPosterior();

  /// log p(y), all constants included.
  [[nodiscard]] double log_evidence() const;

  // Of theta.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double sd() const;
  [[nodiscard]] double cdf(double theta) const;
  [[nodiscard]] double quantile(double p) const;

  // Of the number of records.
  struct TotalSummary {
    double mean = 0, sd = 0;
  };
  [[nodiscard]] TotalSummary total() const;
  [[nodiscard]] double total_quantile(double p) const;

  struct Draw {
    double theta = 0;
    std::int64_t n = 0;
  };
  /// One i.i.d. draw. Thread-safe.
  [[nodiscard]] Draw draw(Rng& rng) const;

 private:
  struct Ways;
  std::unique_ptr<const Ways> ways_;
};

}  // namespace postern::infer
