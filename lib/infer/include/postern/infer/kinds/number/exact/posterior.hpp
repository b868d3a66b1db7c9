#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

/// The exact posterior p(theta, n | y) of a family of numbers with one parameter, given one record set or
/// several: no MCMC, no CLT. After encoding every record is one of finitely many levels, so the sum has a law
/// on a lattice, and p(y | theta) is its sum against the noise; theta is integrated on a grid that refines
/// itself (posterior.md beside the source).
class NumberPosterior {
 public:
  /// One problem a record set; they share law and prior. Throws engine_unsuitable for two parameters and for
  /// sums of squares, engine_limit where double precision or the time limit do not suffice.
  NumberPosterior(std::vector<NumberProblem> problems, int threads);
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

  // Of the number of records of a set.
  struct TotalSummary {
    double mean = 0, sd = 0;
  };
  [[nodiscard]] TotalSummary total(std::size_t set = 0) const;
  [[nodiscard]] double total_quantile(double p, std::size_t set = 0) const;

  /// One i.i.d. draw: theta; fills n of as many sets as asked for. Thread-safe.
  double draw(std::span<std::int64_t> totals, Rng& rng) const;

 private:
  struct Ways;
  std::unique_ptr<const Ways> ways_;
};

}  // namespace postern::infer
