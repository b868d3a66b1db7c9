#include "count_tree.hpp"

#include <cmath>
#include <utility>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

SumShape shape_of(const CountPlan& plan) {
  return {plan.windows, plan.tilts.tilt, plan.tilts.totals, plan.total.multiple(), plan.care, plan.cuts};
}

}  // namespace

CountTree::CountTree(CountPlan plan, int threads)
    : plan_(std::move(plan)), sums_(plan_.cells, shape_of(plan_), threads) {
  weigh_totals();
}

/// Where the cuts left nothing that adds up to a possible total, the evidence is 0.
void CountTree::weigh_totals() {
  log_evidence_ = kMinusInfinity;
  const Window sums = sums_.root().window();
  const Window window =
      intersect(cells() > 1 ? sums : multiples_in(sums, pitch()), multiples_in(plan_.tilts.totals, pitch()));
  if (window.empty()) return;
  const std::int64_t anchor = plan_.tilts.anchor;
  const Window counts{pitch() * window.lo, pitch() * window.hi};
  total_weight_ = {window.lo, plan_.total.relative(counts, plan_.tilts.tilt, anchor, pitch())};
  totals_ = {window.lo, total_weight_.weight};
  double weight = 0;
  mass_ = 0;
  for (std::int64_t k = window.lo; k <= window.hi; ++k) {
    double& here = totals_.weight[static_cast<std::size_t>(k - window.lo)];
    weight += here;
    here *= sums_.weight_of(pitch() * k);
    mass_ += here;
  }
  if (!(mass_ > 0)) return;
  const double scale = 1 / mass_;
  for (double& p : totals_.weight) p *= scale;
  const auto a = static_cast<double>(anchor);
  log_evidence_ = sums_.log_leaf_mass() + plan_.total.log_at(a) - plan_.tilts.tilt * a + std::log(mass_);
  // An error e in one value of a message moves at most e * sum_n total_weight(n) of the unnormalised
  // posterior, since what stands outside is a law.
  transform_error_ = sums_.error() * weight / mass_;
  // Where there is one n, every draw splits the same sum.
  if (totals_.weight.size() > 1 || cells() == 1) draw_total_ = InverseCdf(totals_.weight);
}

std::int64_t CountTree::draw(std::span<std::int64_t> s, Rng& rng) const {
  const std::size_t which = draw_total_.empty() ? 0 : draw_total_.draw(rng);
  const std::int64_t total = pitch() * (totals_.lo + static_cast<std::int64_t>(which));
  sums_.share_out(total, s, rng);
  return total;
}

}  // namespace postern::infer
