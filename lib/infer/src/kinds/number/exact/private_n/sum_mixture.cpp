#include "sum_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "lattice_block.hpp"

namespace postern::infer {
namespace {

constexpr double kSharp = 12;        ///< the sum may be so much below its highest term's bound
constexpr double kLeastClear = -12;  ///< log of the sum over the sizes of its terms: 1e-15 becomes 2e-10
constexpr double kMargin = 1;        ///< of a bound, whose peaks are found roughly
constexpr double kSpread = 2.5;      ///< the largest n of a block over its smallest
constexpr double kFew = 12;          ///< numbers that are listed rather than halved
constexpr double kMany = 300;        ///< numbers of which halves would not help
constexpr std::size_t kMostListed = 192;
constexpr std::size_t kMostBlocks = 24;
constexpr double kNumbers = 512;      ///< of which one that is listed must be a negligible share
constexpr double kLeastError = 4e-7;  ///< of sums on a lattice with points between them
constexpr double kIrregular = 8192;   ///< steps in a record's range, most of which are no level

/// Nodes as what they add to the sum, in steps: from 0 for no record.
bool shift_nodes(const SumLattice& lattice, RecordNodes& nodes) {
  const double shift = lattice.base / lattice.step;
  if (nodes.whole && shift != std::round(shift)) return false;
  for (double& at : nodes.at) at += shift;
  return true;
}

}  // namespace

SumMixture::SumMixture(const NumberProblem& problem, const CountWeight& weight, SumLikelihood& sums,
                       const AccuracyGoal& goal)
    : weight_(weight),
      sums_(sums),
      nodes_(sums.nodes()),
      log_sum_(kMinusInfinity),
      log_sizes_(kMinusInfinity) {
  usable_ = problem.mirrored_sums.empty() && sums.possible() && shift_nodes(sums.lattice(), nodes_);
  if (!usable_) return;
  noise_ = sum_noise(problem, {0, sums.lattice().step, 0}, 0);
  const auto most = static_cast<double>(weight.most());
  near_ = find_joint_tilt(nodes_, weight.noise(), weight.slope(), most, noise_, tilted_);
  make_bounds(most);
  near_ = highest_bound(most);
  const double top = log_bound(near_);
  nats_ = goal.nats(top);
  const double first = end_of(near_, 0, top - nats_ - kSharp);
  const double last = end_of(near_, most, top - nats_ - kSharp);
  const double bound = top + std::log(last - first + 1) + kMargin;
  if (goal.negligible(bound)) {
    log_sum_ = bound;
    return;
  }
  log_linear_ = log_linear_runs(nodes_, weight, noise_, nats_ + kMargin);
  double from = 0;
  double to = most;
  for (const LogLinearRun& run : log_linear_) {
    count(run.log_sum(), run.log_sum());
    (run.lo() == 0 ? from : to) = run.lo() == 0 ? run.hi() + 1 : run.lo() - 1;
  }
  add_all({std::max(first, from), std::min(last, to)}, {from, to}, top);
  usable_ = usable_ && log_sum_ - log_sizes_ > kLeastClear;
}

/// Numbers that are likely to count; then, where sums are so few that noise is far from all of them and the
/// bounds are far too high, all that still may.
void SumMixture::add_all(Window likely, const Window& open, double top) {
  const double near = near_;
  add_around(likely);
  while (usable_ && log_sum_ < top - kSharp) {
    const double least = log_sum_ - nats_;
    const Window wide{std::max(end_of(near, 0, least), open.lo),
                      std::min(end_of(near, static_cast<double>(weight_.most()), least), open.hi)};
    if (wide.lo >= likely.lo && wide.hi <= likely.hi) return;
    if (wide.lo < likely.lo) add_down(std::min(likely.lo - 1, open.hi), wide.lo);
    if (wide.hi > likely.hi) add_up(std::max(likely.hi + 1, open.lo), wide.hi);
    likely = {std::min(likely.lo, wide.lo), std::max(likely.hi, wide.hi)};
  }
}

/// From the block that says most, down and up.
void SumMixture::add_around(const Window& window) {
  const double least = std::max(window.lo, 1.0);
  if (window.hi < least) {
    if (window.lo == 0) add_numbers(0, 0);
    return;
  }
  near_ = std::clamp(near_, least, window.hi);
  const double from = std::max(least, std::floor(near_ / std::sqrt(kSpread)));
  const double to = std::min(window.hi, std::floor(from * kSpread));
  if (!negligible(near_, window.numbers())) add(from, to);
  add_down(from - 1, window.lo);
  add_up(to + 1, window.hi);
}

/// No records are a case of their own.
void SumMixture::add_down(double hi, double first) {
  while (usable_ && hi >= std::max(first, 1.0) && !negligible(hi, hi)) {
    const double lo = std::max({first, std::floor(hi / kSpread), 1.0});
    add(lo, hi);
    hi = lo - 1;
  }
  if (first == 0) add_numbers(0, 0);
}

void SumMixture::add_up(double lo, double last) {
  while (usable_ && lo <= last && !negligible(lo, last - lo + 1)) {
    const double hi = std::min(last, std::floor(std::max(lo, 1.0) * kSpread));
    add(std::max(lo, 1.0), hi);
    lo = hi + 1;
  }
}

/// The tilt's own, which bounds what a block of n holds as well; without a tilt; and for n from which sums
/// are on one side of all noisy values.
void SumMixture::make_bounds(double most) {
  const double lowest = std::min(0.0, most * nodes_.at.front());
  const double highest = std::max(0.0, most * nodes_.at.back());
  const auto add = [&](const TiltedRecord& record) {
    const double peak = TiltedNoise(noise_, record.lambda, near_ * record.mean, lowest, highest).peak;
    bounds_.push_back({record.lambda, record.cumulant(), peak});
  };
  add(tilted_);
  double rate = 3 * std::sqrt(noise_.precision);
  for (const auto& kink : noise_.kinks) rate += kink.rate;
  TiltedRecord record;
  for (const double lambda : {0.0, -rate, rate}) {
    tilt_record(nodes_, lambda, record);
    add(record);
  }
}

double SumMixture::log_bound(double n, const Bound& bound) const {
  const double s = std::clamp(bound.peak, n * nodes_.at.front(), n * nodes_.at.back());
  return weight_.log_at(n) + n * bound.cumulant + noise_.log_at(s) - bound.lambda * s;
}

double SumMixture::weighed() const {
  const double s = near_ * tilted_.mean;
  return std::max({std::abs(weight_.log_at(near_)), std::abs(noise_.log_at(s)), std::abs(tilted_.lambda * s),
                   std::abs(near_ * tilted_.cumulant())});
}

double SumMixture::log_bound(double n) const {
  double least = HUGE_VAL;
  for (const Bound& bound : bounds_) least = std::min(least, log_bound(n, bound));
  return least;
}

/// The bound is concave in n.
double SumMixture::highest_bound(double most) const {
  double lo = 0;
  double hi = most;
  while (hi - lo > 0) {
    const double middle = std::floor(0.5 * (lo + hi));
    const bool rises = log_bound(middle + 1) > log_bound(middle);
    (rises ? lo : hi) = rises ? middle + 1 : middle;
  }
  return lo;
}

/// The last number from `inside` towards `end` that may count.
double SumMixture::end_of(double inside, double end, double least) const {
  if (log_bound(end) >= least) return end;
  while (std::abs(end - inside) > 1) {
    const double middle = std::floor(0.5 * (inside + end));
    (log_bound(middle) >= least ? inside : end) = middle;
  }
  return inside;
}

bool SumMixture::negligible(double n, double numbers) const {
  return log_bound(n) + std::log(numbers) < log_sum_ - nats_;
}

void SumMixture::count(double log_sum, double log_sizes) {
  log_sum_ = log_add_exp(log_sum_, log_sum);
  log_sizes_ = log_add_exp(log_sizes_, log_sizes);
}

void SumMixture::add(double lo, double hi) {
  if (!usable_) return;
  const double near = std::clamp(near_, lo, hi);
  const double short_of =
      std::max(log_sum_ - log_bound(near, bounds_.front()) - std::log(hi - lo + 1), -kSharp);
  const double nats = std::max(nats_ - short_of, 1.0);
  MixtureBlock block(nodes_, tilted_, weight_, noise_, lo, hi, near, nats);
  if (block.usable()) {
    count(block.log_sum(), block.log_sizes());
    blocks_.push_back(std::move(block));
  } else if (add_lattice(lo, hi, near, nats)) {
    return;
  } else if (hi - lo < kFew) {
    add_numbers(lo, hi);
  } else if (hi - lo > kMany) {
    usable_ = false;
  } else {
    const double middle = std::floor(0.5 * (lo + hi));
    add(middle + 1, hi);
    add(lo, middle);
  }
  usable_ = usable_ && blocks_.size() <= kMostBlocks && listed_.size() <= kMostListed;
}

bool SumMixture::add_lattice(double lo, double hi, double near, double nats) {
  // Of very few records a single atom next to a kink counts, and points would misplace it.
  if (nodes_.at.back() - nodes_.at.front() > kIrregular) {
    for (; lo <= hi && sums_.few(static_cast<std::int64_t>(lo)); ++lo) add_numbers(lo, lo);
    if (lo > hi) return true;
  }
  const double error = std::max(std::exp(-nats), kLeastError);
  const LatticeBlock block(nodes_, tilted_, weight_, noise_, lo, hi, near, error);
  if (!block.usable()) return false;
  for (std::size_t i = 0; i < block.log_values().size(); ++i)
    listed_.push_back({lo + static_cast<double>(i), block.log_values()[i]});
  count(log_sum_exp(block.log_values()), block.log_sizes());
  return true;
}

void SumMixture::add_numbers(double lo, double hi) {
  for (double n = hi; n >= lo; --n) {
    if (negligible(n, kNumbers)) continue;
    const auto records = static_cast<std::int64_t>(n);
    const bool roughly = nats_ - (log_sum_ - log_bound(n)) < kRoughNats;
    const double log_value =
        weight_.log_at(n) + (roughly ? sums_.roughly_log_at(records) : sums_.log_at(records));
    listed_.push_back({n, log_value});
    count(log_value, log_value);
  }
}

}  // namespace postern::infer
