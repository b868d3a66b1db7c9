#include "latent_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/log_concave.hpp"
#include "postern/model/statistic/sums.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostBlocks = 256;

/// A normal law of the sum, weighed by the noise of what was released.
struct SumLaw {
  const TotalsNoise& noise;
  double n = 0;
  double mean = 0;
  double precision = 0;

  [[nodiscard]] double log_ratio(double to, double from) const {
    return -0.5 * precision * (to - from) * ((to - mean) + (from - mean)) +
           noise.log_ratio({n, to, 0, 0}, {n, from, 0, 0});
  }
  [[nodiscard]] double step(double x) const { return log_ratio(x + 1, x); }
};

/// What released value this statistic is of such records.
double told(const model::Statistic& statistic, const NumberProblem& problem, const Totals& totals) {
  const auto* sum = statistic.as<model::LevelSum>();
  if (sum == nullptr) return totals.n;
  if (sum->mirrored) return totals.n * static_cast<double>(problem.number.values.adds.back()) - totals.sum;
  return sum->power == 2 ? totals.squares : sum->power == 0 ? totals.inside : totals.sum;
}

}  // namespace

LatentSum::LatentSum(const NumberProblem& problem)
    : problem_(&problem),
      noise_(problem, std::holds_alternative<KnownTotal>(problem.total)
                          ? static_cast<double>(std::get<KnownTotal>(problem.total).n)
                          : static_cast<double>(std::get<LatentTotal>(problem.total).at_most)) {
  const std::size_t levels = problem.number.levels();
  const std::size_t stride = (levels + kMostBlocks - 1) / kMostBlocks;
  for (std::size_t l = 0; l < levels; l += stride) cuts_.push_back(l);
  cuts_.push_back(levels);
}

LatentSum::Moments LatentSum::of_record(const model::Theta& theta) const {
  const model::EncodedNumber& number = problem_->number;
  const auto adds = [&](std::size_t level) { return static_cast<double>(number.values.adds[level]); };
  double mass = 0;
  double first = 0;
  double second = 0;
  const auto add = [&](double probability, double low, double high) {
    if (!(probability > 0)) return;
    const double middle = 0.5 * (low + high);
    mass += probability;
    first += probability * middle;
    second += probability * (middle * middle + (high - low) * (high - low) / 12);
  };
  const auto tails = [&](std::size_t cut) { return problem_->law->tails(theta, number.edges[cut]); };
  model::Tails left = tails(0);
  const double below = left.below;
  for (std::size_t b = 0; b + 1 < cuts_.size(); ++b) {
    const model::Tails right = tails(cuts_[b + 1]);
    const double inside = left.below < 0.5 ? right.below - left.below : left.above - right.above;
    add(inside, adds(cuts_[b]), adds(cuts_[b + 1] - 1));
    left = right;
  }
  if (number.below >= 0)
    add(below, adds(static_cast<std::size_t>(number.below)), adds(static_cast<std::size_t>(number.below)));
  if (number.above >= 0)
    add(left.above, adds(static_cast<std::size_t>(number.above)),
        adds(static_cast<std::size_t>(number.above)));
  if (!(mass > 0)) return {adds(0), 0};
  first /= mass;
  return {first, std::max(0.0, second / mass - first * first)};
}

Totals LatentSum::draw(const model::Theta& theta, double n, Rng& rng) const {
  const Moments record = of_record(theta);
  const double mean = n * record.mean;
  const double variance = n * record.variance;
  const auto lo = n * static_cast<double>(problem_->number.values.adds.front());
  const auto hi = n * static_cast<double>(problem_->number.values.adds.back());
  const double near = std::clamp(std::round(mean), lo, hi);
  if (!(variance > 1e-9)) return {n, near, 0, 0};
  const SumLaw law{noise_, n, mean, 1 / variance};
  const LogConcave<SumLaw> sum(law, static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi),
                               static_cast<std::int64_t>(near));
  return {n, static_cast<double>(sum.draw(rng)), 0, 0};
}

void tell_totals(const release::RecordSet& set, const NumberProblem& problem, const Totals& totals,
                 std::span<double> latent) {
  auto at = latent.begin();
  for (const release::Release* release : set) {
    for (const release::MeasuredBlock& block : release->blocks)
      *at++ = told(block.block.statistic, problem, totals);
    if (!release->foreign) continue;
    // Sums made elsewhere are in the column's units.
    for (std::size_t i = 0; i < release->foreign->blocks.size(); ++i)
      *at++ = std::numeric_limits<double>::quiet_NaN();
  }
}

std::size_t released_values(const release::RecordSet& set) {
  std::size_t out = 0;
  for (const release::Release* release : set)
    out += release->blocks.size() + (release->foreign ? release->foreign->blocks.size() : 0);
  return out;
}

}  // namespace postern::infer
