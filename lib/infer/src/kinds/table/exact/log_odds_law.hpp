#pragma once

#include <optional>

#include "cell_mixture.hpp"
#include "count_tree.hpp"
#include "numeric/even_grid_law.hpp"

namespace postern::infer {

/// theta of a table of two cells whose n is private, without a sum over pairs of counts. Let u ~ e^-u du:
/// since C(n, s) = integral of u^n e^-u / (s! (n - s)!) du, the counts become independent Poisson variables
/// of means x = u theta and y = u (1 - theta), and with delta = log x - log y, the log odds of theta,
///
///   p(delta | data) ~ theta^(a-1) (1-theta)^b  integral of e^xi A(e^xi) B(e^(xi - delta)) dxi,
///
/// A and B being what the noisy values say about Poisson counts (PoissonLikelihood), smooth however sharp the
/// noise: one correlation on an even grid, where the trapezoidal rule errs by e^-30 or less. Totals that are
/// multiples of m add the part of A and B in which remainders of the counts weigh differently.
class LogOddsLaw {
 public:
  /// Of the first of two cells against the second. Nothing where a grid would be too long, or cannot be right
  /// to 1e-12 in doubles, or where it does not find the sum that the tree found: a bound on n that cuts, a
  /// prior far from the data. @pre two cells, n latent, both seen
  [[nodiscard]] static std::optional<LogOddsLaw> of_pair(const CountTree& tree, AlphaSplit alpha);
  /// Of one cell against all the others together, whose counts have a law instead of noisy values: the same
  /// with that law divided by Gamma(r + alpha) / r!. @pre n latent
  [[nodiscard]] static std::optional<LogOddsLaw> of_cell(const CountTree& tree, const Message& mine,
                                                         const Message& outside, AlphaSplit alpha);

  // Of theta, the share of the first cell, or of the second.
  [[nodiscard]] double mean(std::size_t cell) const { return mean_[cell]; }
  [[nodiscard]] double sd() const { return sd_; }
  [[nodiscard]] double cdf(std::size_t cell, double theta) const;
  [[nodiscard]] double quantile(std::size_t cell, double p) const;

 private:
  struct Known;
  template <class Means, class Setting>
  static std::optional<LogOddsLaw> make(Means mine, Means others, const Setting& at, AlphaSplit alpha,
                                        std::int64_t modulus, const Known& known);
  LogOddsLaw() = default;

  EvenGridLaw law_;
  double mean_[2] = {0, 0};
  double sd_ = 0;
};

}  // namespace postern::infer
