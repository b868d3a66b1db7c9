#include "kinds/number/families/normal_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::model {
namespace {

struct Parts {
  double mean = 0;
  double weight = 0;
  double shape = 0;
  double scale = 0;
};
Parts parts(const Hyper& prior) { return {prior[0], prior[1], prior[2], prior[3]}; }

}  // namespace

Tails NormalLaw::tails(const Theta& theta, double t) const {
  const double z = (t - theta[0]) / std::sqrt(theta[1]);
  return {normal_cdf(z), normal_cdf(-z)};
}

NormalSegmentMoments NormalLaw::square_segment(const Theta& theta, Segment t) const {
  return truncated_normal(theta[0], std::sqrt(theta[1]), t);
}

SegmentMoments NormalLaw::segment(const Theta& theta, Segment t) const {
  const NormalSegmentMoments all = square_segment(theta, t);
  return {all.log_mass, all.mean, all.variance};
}

double NormalLaw::draw(const Theta& theta, Rng& rng) const {
  return theta[0] + std::sqrt(theta[1]) * draw_normal(rng);
}

bool NormalLaw::possible(const Sums& sums) const {
  return sums.n == 0 ? sums.t == 0 && sums.squares == 0 : sums.n * sums.squares >= sums.t * sums.t;
}

Hyper NormalLaw::update(const Hyper& prior, const Sums& sums) const {
  if (sums.n == 0) return prior;
  const auto [mean, weight, shape, scale] = parts(prior);
  const double weight_after = weight + sums.n;
  const double average = sums.t / sums.n;
  const double scatter = std::max(0.0, sums.squares - sums.t * average);
  const double shift = average - mean;
  return {(weight * mean + sums.t) / weight_after, weight_after, shape + sums.n / 2,
          scale + 0.5 * (scatter + weight * sums.n * shift * shift / weight_after)};
}

Theta NormalLaw::draw_theta(const Hyper& prior, Rng& rng) const {
  const auto [mean, weight, shape, scale] = parts(prior);
  const double variance = std::exp(std::log(scale) - draw_log_gamma(shape, rng));
  const double kept = std::clamp(variance, 1e-300, 1e300);
  return {mean + std::sqrt(kept / weight) * draw_normal(rng), kept};
}

double NormalLaw::log_prior(const Hyper& prior, const Theta& theta) const {
  const auto [mean, weight, shape, scale] = parts(prior);
  const double shift = theta[0] - mean;
  const double log_variance = std::log(theta[1]);
  return shape * std::log(scale) - log_gamma(shape) - (shape + 1) * log_variance - scale / theta[1] +
         0.5 * (std::log(weight / (2 * std::numbers::pi)) - log_variance - weight * shift * shift / theta[1]);
}

double NormalLaw::log_evidence(const Hyper& prior, const Sums& sums) const {
  const auto [mean, weight, shape, scale] = parts(prior);
  const auto [mean_after, weight_after, shape_after, scale_after] = parts(update(prior, sums));
  return shape * std::log(scale) - log_gamma(shape) - shape_after * std::log(scale_after) +
         log_gamma(shape_after) + 0.5 * std::log(weight / weight_after);
}

Hyper NormalLaw::in_units(const Hyper& prior, double zero, double unit) const {
  const auto [mean, weight, shape, scale] = parts(prior);
  return {(mean - zero) / unit, weight, shape, scale / unit / unit};
}

}  // namespace postern::model
