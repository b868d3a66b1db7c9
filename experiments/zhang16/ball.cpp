#include "ball.hpp"

#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"

namespace postern::zhang16 {
namespace {

double mean_square(const std::vector<double>& precision, const std::vector<double>& h, double lambda) {
  double out = 0;
  for (std::size_t i = 0; i < precision.size(); ++i) {
    const double raised = precision[i] + lambda;
    out += 1 / raised + h[i] * h[i] / (raised * raised);
  }
  return out;
}

}  // namespace

BallNormal::BallNormal(std::vector<double> precision, std::vector<double> h, double radius)
    : precision_(std::move(precision)), h_(std::move(h)), radius_(radius) {
  const double wanted = radius * radius;
  if (mean_square(precision_, h_, 0) <= wanted) return;
  double lo = 0;
  double hi = 1;
  while (mean_square(precision_, h_, hi) > wanted) hi *= 2;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (lo + hi) / 2;
    (mean_square(precision_, h_, middle) > wanted ? lo : hi) = middle;
  }
  lambda_ = hi;
}

std::vector<double> BallNormal::draw(Rng& rng) {
  std::vector<double> w(precision_.size());
  for (;;) {
    ++tried_;
    double square = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double raised = precision_[i] + lambda_;
      w[i] = h_[i] / raised + draw_normal(rng) / std::sqrt(raised);
      square += w[i] * w[i];
    }
    const double inside = radius_ * radius_ - square;
    if (inside < 0 || draw_exponential(rng) < lambda_ * inside / 2) continue;
    ++kept_;
    return w;
  }
}

double ball_loss(double radius) { return radius <= 1 ? 4 * radius : (1 + radius) * (1 + radius); }

}  // namespace postern::zhang16
