#include "starting_line.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "mean_scan.hpp"

namespace postern::infer {
namespace {

constexpr double kPriorNats = 50;  ///< of the prior, on either side of its mode
constexpr int kScan = 32;          ///< stretches in which to look for roots
constexpr double kClose = 0.02;    ///< of the prior's range

struct Range {
  double lo = 0;
  double hi = 0;
};

/// The prior's middle and spread, from draws: log_prior alone does not say where to look.
Range prior_core(const NumberProblem& problem, const ThetaLine& line) {
  Rng rng(1, 0, Purpose::plan);
  std::vector<double> z;
  for (int i = 0; i < 101; ++i) {
    const double place = line.place(problem.law->draw_theta(problem.prior, rng)[0]);
    z.push_back(std::clamp(place, line.lowest(), line.highest()));
  }
  std::sort(z.begin(), z.end());
  return {z[5], z[95]};
}

/// From inside outwards until the log density has dropped, then back to where it did.
double prior_end(const NumberProblem& problem, const ThetaLine& line, Range core, bool left) {
  const double inside = left ? core.lo : core.hi;
  const double bound = left ? line.lowest() : line.highest();
  const auto log_prior = [&](double z) { return problem.law->log_prior_on_line(problem.prior, z); };
  double top = kMinusInfinity;
  for (int k = 0; k <= 32; ++k) top = std::max(top, log_prior(core.lo + (core.hi - core.lo) * k / 32));
  const auto low = [&](double z) { return !(log_prior(z) > top - kPriorNats); };
  double stride = std::max(core.hi - core.lo, 1e-12 * std::abs(inside));
  if (stride == 0) stride = 1e-12;
  double near = inside;
  double far = inside;
  for (int step = 0; step < 200 && !low(far); ++step, stride *= 2) {
    near = far;
    far = left ? std::max(far - stride, bound) : std::min(far + stride, bound);
    if (far == bound && !low(far)) return bound;
  }
  for (int step = 0; step < 6; ++step) {
    const double middle = near + 0.5 * (far - near);
    (low(middle) ? far : near) = middle;
  }
  return far;
}

/// What one record would add if the sums were as they look.
std::vector<double> targets_of(const NumberProblem& problem, const RecordLaw& record, double n) {
  const SumNoise noise = sum_noise(problem, record.lattice(), std::llround(n));
  std::vector<double> out;
  for (const auto& kink : noise.kinks) out.push_back(kink.at / std::max(n, 1.0));
  if (noise.precision > 0) out.push_back(noise.centre / std::max(n, 1.0));
  return out;
}

}  // namespace

Line starting_line(const std::vector<const SetLikelihood*>& sets, const ThetaLine& line) {
  const NumberProblem& problem = sets.front()->problem();
  const Range core = prior_core(problem, line);
  const Range prior{prior_end(problem, line, core, true), prior_end(problem, line, core, false)};
  std::vector<double> scan;
  for (int k = 0; k <= kScan; ++k) scan.push_back(prior.lo + (prior.hi - prior.lo) * k / kScan);
  // Further out by doubling, where the prior says never but the sums may insist.
  for (double stride = prior.hi - prior.lo; scan.size() < 64; stride *= 2) {
    scan.insert(scan.begin(), std::max(scan.front() - stride, line.lowest()));
    scan.push_back(std::min(scan.back() + stride, line.highest()));
  }
  std::vector<double> breaks;
  double error = 0;
  for (const SetLikelihood* set : sets) {
    const double n = set->records();
    std::vector<double> places = range_places(set->problem(), line, scan);
    for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 2); ++i) breaks.push_back(places[i]);
    places.insert(places.end(), scan.begin(), scan.end());
    MeanScan means(set->record(), line, std::move(places));
    for (const double z : means.add_turns()) breaks.push_back(z);
    for (const double target : targets_of(set->problem(), set->record(), n))
      means.add_roots(target, n, breaks);
    // Rounding moves the mean of n records by about n 1e-16 of a record.
    error = std::max(error, (set->latent() ? 1e-6 : 1e-7) + 2e-15 * n);
  }
  // A panel between two breaks that are close is no help.
  const auto close = [&](double z, double to) { return std::abs(z - to) < kClose * (prior.hi - prior.lo); };
  for (const double z : {prior.lo, prior.hi, core.lo, core.hi}) {
    if (std::none_of(breaks.begin(), breaks.end(), [&](double to) { return close(z, to); }))
      breaks.push_back(z);
  }
  for (double& z : breaks) z = std::clamp(z, line.lowest(), line.highest());
  std::sort(breaks.begin(), breaks.end());
  const double least = 1e-13 * (breaks.back() - breaks.front());
  breaks.erase(std::unique(breaks.begin(), breaks.end(), [&](double a, double b) { return b - a <= least; }),
               breaks.end());
  return {breaks, line.lowest(), line.highest(), error};
}

}  // namespace postern::infer
