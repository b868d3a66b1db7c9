#pragma once

#include <cstddef>
#include <vector>

#include "counts/total_weight.hpp"
#include "numeric/window.hpp"

namespace postern::infer {

/// What n is when classes add up to it: a tilt for each total that matters, and the one that the classes'
/// tree carries.
struct TotalsPlan {
  struct Stop {
    double tilt = 0;
    double total = 0;
    double height = 0;  ///< log h(n) + sum over classes of the largest log g(N) + tilt (N - n / classes)
  };
  std::vector<Stop> stops;  ///< the best, the ends and some in between
  Stop best;
  double tilt = 0;
  Window totals;
  double excess = 0;  ///< nats by which messages reach below their largest value where they matter
};

/// A function of a class's count N, known at some N: log g(N), what everything says about N but n.
class Profile {
 public:
  struct Point {
    double total = 0;
    double value = 0;
  };
  /// @pre sorted by total, at least one
  explicit Profile(std::vector<Point> points);

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// The point at which value + tilt * total is largest.
  [[nodiscard]] const Point& peak(double tilt) const;
  /// All points whose tilted value is within `depth` of the largest, and one more on either side.
  [[nodiscard]] Window window(double tilt, double depth) const;
  /// The same for all tilts of a plan, `depth` counting from its best.
  [[nodiscard]] Window window(const TotalsPlan& totals, double depth) const;

 private:
  std::vector<Point> points_;
  std::vector<std::size_t> hull_;  ///< the corners of the least concave function above
};

/// Totals with less than e^-depth of the best are left out.
[[nodiscard]] TotalsPlan plan_totals(const std::vector<Profile>& classes, const TotalWeight& total,
                                     double depth);

}  // namespace postern::infer
