#include "postern/model/kept_range.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/bracketed_root.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::model {
namespace {

constexpr double kLeastMass = 1e-290;  ///< below, a mass has no digits left
constexpr double kDigits = 1e-4;       ///< of its terms, above which a difference of tails is trusted

Segment segment_of(double from, double to, bool whole) { return {from, whole ? to - 1 : to}; }

}  // namespace

KeptRange::KeptRange(std::shared_ptr<const NumberLaw> law, const EncodedNumber& number, bool whole)
    : law_(std::move(law)),
      drops_(number.below < 0 && number.above < 0),
      whole_(whole),
      from_(number.edges.front()),
      to_(number.edges.back()) {
  if ((number.below < 0) != (number.above < 0))
    throw Error(ErrorCode::engine_unsuitable, {"a column drops numbers on one side of its range only"});
}

SegmentMoments KeptRange::moments(const Theta& theta) const {
  return law_->segment(theta, segment_of(from_, to_, whole_));
}

KeptMass KeptRange::mass(const Theta& theta) const {
  KeptMass out;
  out.theta = theta;
  if (!drops_) return out;
  out.low = law_->tails(theta, from_);
  const Tails high = law_->tails(theta, to_);
  const double outside = out.low.below + high.above;
  const auto difference = [&](double larger, double smaller, KeptMass::Way way) {
    if (!(larger < 0.5 && larger - smaller > kDigits * larger + kLeastMass)) return false;
    out.way = way;
    out.kept = larger - smaller;
    out.log_kept = std::log(out.kept);
    return true;
  };
  if (outside < 1 - kDigits) {
    out.way = KeptMass::Way::middle;
    out.kept = 1 - outside;
    out.log_kept = std::log1p(-outside);
  } else if (!difference(high.below, out.low.below, KeptMass::Way::lower) &&
             !difference(out.low.above, high.above, KeptMass::Way::upper)) {
    out.way = KeptMass::Way::integrated;
    out.log_kept = moments(theta).log_mass;
    out.kept = std::exp(out.log_kept);
  }
  return out;
}

/// P(t' < t | kept)
double KeptRange::share_below(const KeptMass& mass, double t) const {
  if (mass.way == KeptMass::Way::integrated)
    return std::exp(law_->segment(mass.theta, segment_of(from_, t, whole_)).log_mass - mass.log_kept);
  const Tails here = law_->tails(mass.theta, t);
  const bool from_above =
      mass.way == KeptMass::Way::upper || (mass.way == KeptMass::Way::middle && here.below > 0.5);
  return (from_above ? mass.low.above - here.above : here.below - mass.low.below) / mass.kept;
}

double KeptRange::whole_quantile(const KeptMass& mass, double u) const {
  double low = std::ceil(from_);  // the answer is not below it,
  double high = to_ - 1;          // nor above this
  while (low < high) {
    const double middle = std::floor(0.5 * (low + high));
    if (share_below(mass, middle + 1) > u) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double KeptRange::quantile(const KeptMass& mass, double u) const {
  if (whole_) return whole_quantile(mass, u);
  const double fine = (mass.way == KeptMass::Way::integrated ? 1e-10 : 1e-13) * (to_ - from_);
  return bracketed_root([&](double t) { return share_below(mass, t) - u; }, {from_, to_, -u, 1 - u}, fine);
}

}  // namespace postern::model
