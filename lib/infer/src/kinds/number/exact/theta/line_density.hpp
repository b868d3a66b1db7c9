#pragma once

#include <functional>
#include <vector>

#include "postern/core/rng.hpp"

#include "kinds/number/exact/accuracy_goal.hpp"
#include "numeric/inverse_cdf.hpp"

namespace postern::infer {

/// The line on which a density lives: the panels to begin with, and what is known about its ends.
struct Line {
  std::vector<double> breaks;  ///< rising, at least two
  double lowest = 0;           ///< no panel goes below; what is below falls like e^{slope z}
  double highest = 0;
  double tolerance = 1e-8;  ///< of log density, near its top
};

using LogDensity = std::function<double(double z, const AccuracyGoal& goal)>;

/// A density on the line, known through its logarithm, which is costly: piecewise Chebyshev polynomials of
/// log density, refined where the density counts until their coefficients promise to leave little out. Peaks
/// narrower than the first panels must have a break near them.
class LineDensity {
 public:
  /// log_density must be safe to call from several threads.
  LineDensity(const LogDensity& log_density, const Line& line, int threads);

  /// log of the integral of the density given.
  [[nodiscard]] double log_integral() const { return log_integral_; }
  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] double draw(Rng& rng) const;
  /// Points and masses, sum 1, that integrate smooth functions.
  void each_point(const std::function<void(double z, double mass)>& visit) const;
  /// E f(z)
  [[nodiscard]] double expect(const std::function<double(double)>& f) const;

 private:
  struct Panel {
    double lo = 0;
    double hi = 0;
    std::vector<double> coefficient;
    [[nodiscard]] double log_at(double z) const;
  };
  /// A piece of a panel over which the log density changes little, or a tail past the ends: e^{slope z}.
  struct Cell {
    double lo = 0;
    double hi = 0;
    std::size_t panel = 0;
    double tail = 0;  ///< slope, 0 inside
    double mass = 0;  ///< sum 1
    double below = 0;
  };

  void make_cells();
  void cut_panel(std::size_t p);
  void add_tail(bool left);
  [[nodiscard]] double density(const Cell& cell, double z) const;
  [[nodiscard]] double partial(const Cell& cell, double z) const;
  [[nodiscard]] double solve(const Cell& cell, double mass) const;

  Line line_;
  std::vector<Panel> panels_;  ///< those that count, rising
  std::vector<Cell> cells_;
  InverseCdf choose_;
  double top_ = 0;
  double log_integral_ = 0;
};

}  // namespace postern::infer
