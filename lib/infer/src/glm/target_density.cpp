#include "target_density.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// What the density is a function of, besides r_0 and t_0.
struct Summary {
  Summary(std::span<const double> r, std::span<const double> t) {
    double squares = 1e-20;
    double dot = 0;
    double all = 0;
    for (std::size_t i = 1; i < t.size(); ++i) {
      squares += t[i] * t[i];
      dot += r[i] * t[i];
      all += r[i] * r[i];
    }
    spread = std::sqrt(squares);
    along = dot / spread;
    across = std::max(all - along * along, 0.0);
  }
  double spread = 0;  ///< of the predictor
  double along = 0;   ///< r in the predictor's direction
  double across = 0;  ///< the square of what it has in others
};

/// The density at one place, with what its slopes are made of.
class At {
 public:
  At(const TargetMoments& moments, const Extra& extra, double n, std::span<const double> r,
     std::span<const double> t)
      : n_(n),
        others_(static_cast<double>(t.size()) - 2),
        at_(r, t),
        moments_(moments),
        left_(leftover(moments_, extra)),
        determinant_(left_.first.value * left_.second.value - left_.cross.value * left_.cross.value) {
    const double a = r[0] - moments_.mean[0].value;
    const double b = at_.along - moments_.mean[1].value;
    first_ = (a * left_.second.value - b * left_.cross.value) / determinant_;
    second_ = (b * left_.first.value - a * left_.cross.value) / determinant_;
    distance_ = at_.across / left_.other.value + a * first_ + b * second_;
  }
  [[nodiscard]] double density() const {
    if (!(left_.other.value > 0 && left_.first.value > 0 && determinant_ > 0)) return kMinusInfinity;
    return -0.5 * (others_ * std::log(left_.other.value) + std::log(determinant_) + n_ * distance_);
  }
  void slopes(std::span<const double> r, std::span<const double> t, std::span<double> out) const {
    const double by_across = -0.5 * n_ / left_.other.value;
    const double by_along = -n_ * second_ - 2 * at_.along * by_across;  // `across` falls as `along` grows
    const double by_spread = by(&Sloped::by_spread) - by_along * at_.along / at_.spread;
    const std::span<double> of_r = out.first(r.size());
    const std::span<double> of_t = out.subspan(r.size());
    of_r[0] = -n_ * first_;
    of_t[0] = by(&Sloped::by_centre);
    for (std::size_t i = 1; i < t.size(); ++i) {
      of_r[i] = by_along * t[i] / at_.spread + 2 * by_across * r[i];
      of_t[i] = (by_spread * t[i] + by_along * r[i]) / at_.spread;
    }
  }
  /// By the extra variances, which are in all three, and by n.
  [[nodiscard]] ExtraSlope by_extra() const {
    const double by_least = by_other() + by_first() + by_second();
    const double curved = moments_.mean[2].value - moments_.mean[0].value;
    const double bent = moments_.mean[3].value - 3 * moments_.mean[1].value;
    return {by_least * curved * curved, by_least * bent * bent, by_least, -0.5 * distance_};
  }

 private:
  [[nodiscard]] double by_other() const {
    const double v = left_.other.value;
    return 0.5 * (n_ * at_.across / v - others_) / v;
  }
  [[nodiscard]] double by_first() const {
    return 0.5 * (n_ * first_ * first_ - left_.second.value / determinant_);
  }
  [[nodiscard]] double by_second() const {
    return 0.5 * (n_ * second_ * second_ - left_.first.value / determinant_);
  }
  /// Through the moments, by the predictor's mean or deviation.
  [[nodiscard]] double by(double Sloped::*slope) const {
    const double by_cross = n_ * first_ * second_ + left_.cross.value / determinant_;
    return by_other() * left_.other.*slope + by_first() * left_.first.*slope +
           by_second() * left_.second.*slope + by_cross * left_.cross.*slope +
           n_ * (first_ * moments_.mean[0].*slope + second_ * moments_.mean[1].*slope);
  }

  double n_;
  double others_;  ///< directions that the predictor does not see
  Summary at_;
  TargetMoments moments_;
  Leftover left_;
  double determinant_;
  double first_ = 0;  ///< the inverse covariance of (y, y x) times the distance from their means
  double second_ = 0;
  double distance_ = 0;
};

}  // namespace

double predictor_spread(std::span<const double> t) {
  double squares = 1e-20;
  for (std::size_t i = 1; i < t.size(); ++i) squares += t[i] * t[i];
  return std::sqrt(squares);
}

double target_density(const TargetMoments& moments, const Extra& extra, double n, std::span<const double> r,
                      std::span<const double> t, std::span<double> slopes, ExtraSlope* by_extra) {
  const At at(moments, extra, n, r, t);
  const double density = at.density();
  if (!slopes.empty() && std::isfinite(density)) at.slopes(r, t, slopes);
  if (by_extra != nullptr && std::isfinite(density)) *by_extra = at.by_extra();
  return density;
}

double target_density(const MeanFunction& function, const Extra& extra, double n, std::span<const double> r,
                      std::span<const double> t, std::span<double> slopes, ExtraSlope* by_extra) {
  return target_density(target_moments(function, t[0], predictor_spread(t)), extra, n, r, t, slopes,
                        by_extra);
}

}  // namespace postern::infer
