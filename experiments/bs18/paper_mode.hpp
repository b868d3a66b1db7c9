#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

/// Bernstein & Sheldon 2018 as printed: continuous Laplace noise, their samplers, their baselines. Where a
/// line cannot run as printed (a missing log, a mean that is not a mean), the comment says what was read into
/// it.
namespace postern::bs18 {

[[nodiscard]] double draw_laplace(double scale, Rng& rng);

struct ChainLength {
  std::size_t burn_in = 2000;
  std::size_t draws = 5000;
};

/// Points of R^dimension, one after the other.
using Sample = std::vector<double>;

/// Algorithm 1 for n Bernoulli records, theta ~ Beta(a, b), y = s + Laplace(scale). "mu = E[s]" of line 4 is
/// read as the moments of one record; the valid sums are 0..n.
[[nodiscard]] Sample paper_algorithm_1(std::size_t n, double a, double b, double y, double scale,
                                       const ChainLength& length, Rng& rng);

/// The same for categories, theta ~ Dirichlet(alpha), all counts released. The covariance is singular since
/// the counts add up to n, so NormProduct conditions instead of inverting.
[[nodiscard]] Sample paper_algorithm_1(std::size_t n, std::span<const double> alpha,
                                       std::span<const double> y, double scale, const ChainLength& length,
                                       Rng& rng);

/// What Algorithm 2 keeps of a record: x if a <= x <= b, else 0.
struct Bounds {
  double a = 0;
  double b = 1;
};

/// Algorithm 2 for exponential records, theta ~ Gamma(shape, rate), with the two errors that it has in print:
/// line 10 draws the sum of the kept records without looking at y, and line 8 adds the variances of the three
/// segments as if their counts were independent. Algorithm 3 is read as q = F(w) - F(v) and m = n q mu.
[[nodiscard]] Sample paper_algorithm_2(std::size_t n, double shape, double rate, const Bounds& bounds,
                                       double y, double scale, const ChainLength& length, Rng& rng);

/// One-posterior sampling: 100 draws of [p(theta) p(x | theta)]^tau on [0.1, 0.9], each of them worth
/// epsilon / 100.
[[nodiscard]] Sample one_posterior_samples(std::size_t n, double a, double b, double successes,
                                           double epsilon, Rng& rng);

}  // namespace postern::bs18
