#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "postern/core/rng.hpp"

#include "kinds/choice/problem.hpp"
#include "law.hpp"

namespace postern::infer {

/// The posterior of theta with the lower bound of Williams and McSherry 2010 in place of the likelihood, on a
/// polar grid, and how far the upper bound is from it.
class AxisBounds {
 public:
  /// @pre n known, bounds; the law is the problem's
  AxisBounds(const ChoiceProblem& problem, const AxisLaw& law, int threads);

  [[nodiscard]] std::array<double, 2> draw(Rng& rng) const;
  /// log upper - log lower in nats: the most of some points all over the plane.
  [[nodiscard]] double gap() const { return gap_; }

 private:
  double lo_ = 0;
  double step_ = 1;
  double turn_ = 1;
  std::vector<double> cumulative_;  ///< lengths x directions
  double gap_ = 0;
};

}  // namespace postern::infer
