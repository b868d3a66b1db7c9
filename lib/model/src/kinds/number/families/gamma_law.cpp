#include "kinds/number/families/gamma_law.hpp"

namespace postern::model {

Tails GammaLaw::tails(const Theta& theta, double t) const {
  const double x = theta[0] * (t - start_);
  if (x <= 0) return {0, 1};
  if (shape_ == 1) return {-std::expm1(-x), std::exp(-x)};
  return {gamma_cdf(shape_, x), gamma_tail(shape_, x)};
}

SegmentMoments GammaLaw::segment(const Theta& theta, Segment t) const {
  const Segment from_start{t.from - start_, t.to - start_};
  SegmentMoments out = shape_ == 1 ? truncated_exponential(theta[0], from_start)
                                   : truncated_gamma(shape_, theta[0], from_start);
  out.mean += start_;
  return out;
}

double GammaLaw::draw(const Theta& theta, Rng& rng) const {
  return start_ + (shape_ == 1 ? draw_exponential(rng) : draw_gamma(shape_, rng)) / theta[0];
}

}  // namespace postern::model
