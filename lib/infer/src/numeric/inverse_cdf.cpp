#include "inverse_cdf.hpp"

namespace postern::infer {

InverseCdf::InverseCdf(std::span<const double> weight) {
  cdf_.reserve(weight.size());
  double below = 0;
  for (const double w : weight) cdf_.push_back(below += w);
  guide_.reserve(weight.size());
  const double step = below / static_cast<double>(weight.size());
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    while (at + 1 < cdf_.size() && cdf_[at] < step * static_cast<double>(i)) ++at;
    guide_.push_back(at);
  }
}

std::size_t InverseCdf::draw(Rng& rng) const {
  const double u = rng.uniform();
  const double target = u * cdf_.back();
  std::size_t at = guide_[static_cast<std::size_t>(u * static_cast<double>(guide_.size()))];
  // Rounding may have led one step too far.
  while (at > 0 && cdf_[at - 1] >= target) --at;
  while (cdf_[at] < target) ++at;
  return at;
}

}  // namespace postern::infer
