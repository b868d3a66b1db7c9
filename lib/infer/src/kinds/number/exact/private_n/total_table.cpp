#include "total_table.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "numeric/gauss_legendre.hpp"
#include "total_blocks.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 42;
constexpr std::int64_t kMostOneByOne = 512;  ///< of a block's numbers, one by one
constexpr double kRunNats = 0.25;            ///< log weight may change by this within a run

/// An upper bound of log p(n) p(counts | n) p(sums | theta, n) for every theta, concave in n.
double bound(const NumberProblem& problem, const CountWeight& weight, const SumLattice& lattice,
             std::int64_t n) {
  const SumNoise noise = sum_noise(problem, lattice, n);
  const double most = static_cast<double>(n) * (lattice.last - lattice.base) / lattice.step;
  return weight.log_at(static_cast<double>(n)) + noise.highest(0, most);
}

/// The numbers on one side of `inside` that can count beside what is `least` high.
std::int64_t end_of(const NumberProblem& problem, const CountWeight& weight, const SumLattice& lattice,
                    std::int64_t inside, std::int64_t end, double least) {
  if (bound(problem, weight, lattice, end) >= least) return end;
  while (std::abs(end - inside) > 1) {
    const std::int64_t middle = inside + (end - inside) / 2;
    (bound(problem, weight, lattice, middle) >= least ? inside : end) = middle;
  }
  return inside;
}

/// Adds the numbers lo..hi of a block, in runs that are narrow where the weight is steep.
void add_runs(const TotalBlocks::Block& block, const CountWeight& weight,
              std::vector<TotalTable::Run>& runs) {
  const auto log_at = [&](double n) { return weight.log_at(n) + block.log_at(n); };
  if (block.hi - block.lo < kMostOneByOne) {
    for (std::int64_t n = block.lo; n <= block.hi; ++n) {
      const auto at = static_cast<double>(n);
      runs.push_back({at - 0.5, at + 0.5, log_at(at)});
    }
    return;
  }
  const double from = static_cast<double>(block.lo) - 0.5;
  const double to = static_cast<double>(block.hi) + 0.5;
  const double change = std::abs(log_at(to - 0.5) - log_at(0.5 * (from + to))) +
                        std::abs(log_at(0.5 * (from + to)) - log_at(from + 0.5));
  const double count = std::clamp(std::ceil(change / kRunNats), 64.0, static_cast<double>(kMostOneByOne));
  for (double k = 0; k < count; ++k) {
    const double lo = from + std::floor((to - from) * (k / count));
    const double hi = from + std::floor((to - from) * ((k + 1) / count));
    double sum = 0;
    const double middle = log_at(0.5 * (lo + hi));
    for (const auto& [place, share] : kCellNodes)
      sum += 0.5 * share * std::exp(log_at(lo + 0.5 * (hi - lo) * (1 + place)) - middle);
    // Numbers, not an interval: a factor (c/2) / sinh(c/2) where the weight changes like e^{c n}.
    const double c = (log_at(hi) - log_at(lo)) / (hi - lo);
    runs.push_back({lo, hi, middle + std::log(sum * (hi - lo)) - c * c / 24});
  }
}

}  // namespace

CountWeight::CountWeight(const NumberProblem& problem) : noise_(count_noise(problem)) {
  const auto& latent = std::get<LatentTotal>(problem.total);
  most_ = latent.at_most;
  slope_ = latent.log_slope;
  const double numbers = static_cast<double>(most_) + 1;
  if (slope_ == 0) {
    log_norm_ = std::log(numbers);
  } else {
    const double fall = -std::abs(slope_);
    log_norm_ = log1m_exp(fall * numbers) - log1m_exp(fall) + (slope_ > 0 ? slope_ * (numbers - 1) : 0);
  }
}

double guess_total(const NumberProblem& problem, const SumLattice& lattice) {
  const CountWeight weight(problem);
  std::int64_t lo = 0;
  std::int64_t hi = weight.most();
  while (hi - lo > 0) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    const bool rises = bound(problem, weight, lattice, middle + 1) > bound(problem, weight, lattice, middle);
    (rises ? lo : hi) = rises ? middle + 1 : middle;
  }
  return static_cast<double>(lo);
}

TotalTable total_table(const NumberProblem& problem, const CountWeight& weight, SumLikelihood& sums,
                       double nats) {
  const SumLattice& lattice = sums.lattice();
  std::vector<double> places{guess_total(problem, lattice)};
  for (const auto& kink : weight.noise().kinks) places.push_back(kink.at);
  // Where the sums are what their noisy values say, and where sampling smears that.
  const SumNoise at_guess = sum_noise(problem, lattice, std::llround(places[0]));
  std::vector<double> targets;
  for (const auto& kink : at_guess.kinks) targets.push_back(kink.at);
  if (at_guess.precision > 0) targets.push_back(at_guess.centre);
  for (const double target : targets) {
    const double n = target / sums.mean();
    if (!(n > 0) || !(n < 2 * static_cast<double>(weight.most()) + 10)) continue;
    const double smear = 9 * std::sqrt(n * sums.variance()) / sums.mean();
    for (const double place : {n - smear, n, n + smear}) places.push_back(place);
  }
  std::vector<std::int64_t> breaks;
  for (const double place : places)
    breaks.push_back(std::llround(std::clamp(place, 0.0, static_cast<double>(weight.most()))));
  const bool roughly = nats < kRoughNats;
  const auto log_of = [&](std::int64_t n) { return roughly ? sums.roughly_log_at(n) : sums.log_at(n); };
  const double tolerance = std::exp(-std::min(nats, 16.0));
  TotalBlocks blocks(
      log_of, [&](double n) { return weight.log_at(n); }, tolerance);
  const double highest = blocks.look(breaks);
  const std::int64_t inside = std::llround(places[0]);
  const double least = std::min(highest - kNats, bound(problem, weight, lattice, inside));
  breaks.push_back(end_of(problem, weight, lattice, inside, 0, least));
  breaks.push_back(end_of(problem, weight, lattice, inside, weight.most(), least));
  blocks.build(breaks, *(breaks.end() - 2), breaks.back());

  std::vector<TotalTable::Run> runs;
  for (const TotalBlocks::Block& block : blocks.blocks()) add_runs(block, weight, runs);
  return TotalTable(std::move(runs));
}

TotalTable::TotalTable(std::vector<Run> runs) {
  double highest = kMinusInfinity;
  for (const Run& run : runs) highest = std::max(highest, run.log_weight);
  std::erase_if(runs, [&](const Run& run) { return !(run.log_weight >= highest - kNats); });
  double sum = 0;
  for (const Run& run : runs) {
    const double w = std::exp(run.log_weight - highest);
    edge_.push_back(run.lo);
    end_.push_back(run.hi);
    sum += w;
    below_.push_back(sum);
    mean_ += w * 0.5 * (run.lo + run.hi);
  }
  mean_ /= sum;
  for (double& b : below_) b /= sum;
  log_sum_ = highest + std::log(sum);
}

double TotalTable::mean_square(double about) const {
  double sum = 0;
  for (std::size_t i = 0; i < edge_.size(); ++i) {
    const double mass = below_[i] - (i == 0 ? 0 : below_[i - 1]);
    const double d = 0.5 * (edge_[i] + end_[i]) - about;
    sum += mass * d * d;
  }
  return sum;
}

double TotalTable::cdf(double x) const {
  const auto i = static_cast<std::size_t>(std::upper_bound(edge_.begin(), edge_.end(), x) - edge_.begin());
  if (i == 0) return 0;
  const double before = i == 1 ? 0 : below_[i - 2];
  const double part = std::min((x - edge_[i - 1]) / (end_[i - 1] - edge_[i - 1]), 1.0);
  return before + part * (below_[i - 1] - before);
}

double TotalTable::quantile(double u) const {
  const auto i =
      std::min(static_cast<std::size_t>(std::lower_bound(below_.begin(), below_.end(), u) - below_.begin()),
               below_.size() - 1);
  const double before = i == 0 ? 0 : below_[i - 1];
  const double part = std::clamp((u - before) / (below_[i] - before), 0.0, 1.0);
  return edge_[i] + part * (end_[i] - edge_[i]);
}

}  // namespace postern::infer
