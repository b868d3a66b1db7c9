#include "sum_likelihood.hpp"

#include <cmath>

#include "postern/core/special.hpp"

#include "enumeration.hpp"

namespace postern::infer {
namespace {

constexpr double kMostListed = 4096;
constexpr double kMostSharp = 65536;            ///< sums that are listed where points would be too wide
constexpr std::int64_t kMostRecords = 1 << 20;  ///< whose binomial coefficients have digits enough
constexpr double kCachedReach = 1.25;           ///< the largest n of a cached over the one it was made for
// Widest windows of sums that are listed on the integers: for many n, and for one.
constexpr double kManyExact = 16384;
constexpr double kOneExact = 32768;
constexpr LatticeResolution kRoughly{0, 24, 192, 1e-4};
constexpr LatticeResolution kMany{kManyExact, 120, 1024, 2e-7};
constexpr double kResolved = 0.3;  ///< nats from one point to the next
constexpr double kMostBreadth = 1e6;
/// Rounding is about 1e-15 of the average of g over the period.
constexpr double kLeastShare = 1e-5;
constexpr double kSharp = 10;  ///< nats by which the noise may be narrower than the sums

/// For one n, where errors of e^-nats do.
LatticeResolution one_number(double nats) {
  LatticeResolution out{kOneExact};
  out.error = 3 * std::exp(-nats);
  return out;
}

/// Whether a rough lattice still resolves the noise.
bool resolved(const SumNoise& noise, const RecordNodes& nodes, double deviation) {
  const double pitch =
      std::max((nodes.at.back() - nodes.at.front()) / kRoughly.of_record, deviation / kRoughly.of_deviation);
  double rate = std::sqrt(noise.precision);
  for (const auto& kink : noise.kinks) rate += kink.rate;
  return rate * pitch < kResolved;
}

bool too_broad(const CharacteristicFunction& sums, const SumNoise& noise) {
  return noise.precision > 0 && sums.breadth() > kMostBreadth;
}

}  // namespace

SumLikelihood::SumLikelihood(const NumberProblem& problem, const RecordLaw& record, const model::Theta& theta)
    : problem_(problem), record_(record), possible_(record.nodes(theta, nodes_)) {
  if (possible_) tilt_record(nodes_, 0, plain_);
}

double SumLikelihood::log_at(std::int64_t n) {
  const SumNoise noise = sum_noise(problem_, record_.lattice(), n);
  if (n == 0) return noise.log_at(0);
  if (!possible_) return kMinusInfinity;
  const auto records = static_cast<double>(n);
  for (auto cached = cached_.begin(); cached != cached_.end(); ++cached) {
    if (records < cached->least || records > cached->most) continue;
    const CharacteristicFunction::Answer answer = cached->sums.log_mean(records, noise);
    if (answer.clarity < kLeastShare) continue;
    if (cached != cached_.begin()) cached_.splice(cached_.begin(), cached_, cached);
    return answer.log_mean;
  }
  return log_afresh(n, noise);
}

double SumLikelihood::log_at(std::int64_t n, const AccuracyGoal& goal) {
  const SumNoise noise = sum_noise(problem_, record_.lattice(), n);
  if (n == 0) return noise.log_at(0);
  if (!possible_) return kMinusInfinity;
  const auto records = static_cast<double>(n);
  find_tilt(nodes_, records, noise, 0, tilted_);
  if (few(n)) return log_mean_enumerated(nodes_, tilted_, n, noise);
  const double s0 = records * tilted_.mean;
  const TiltedNoise g(noise, tilted_.lambda, s0, records * nodes_.at.front(), records * nodes_.at.back());
  const double bound = g.log_peak() + records * tilted_.log_mass;
  if (goal.negligible(bound)) return bound;
  const double nats = goal.nats(bound);
  const CharacteristicFunction sums(nodes_, tilted_, records, records, noise, nats + kSharp);
  if (sums.usable() && !(nodes_.whole && too_broad(sums, noise)))
    return sums.log_mean(records, noise).log_mean;
  const bool roughly = nats < kRoughNats && resolved(noise, nodes_, std::sqrt(records * tilted_.variance));
  if (roughly) return log_mean_lattice(nodes_, tilted_, n, noise, kRoughly);
  return log_outright(n, noise, one_number(nats));
}

/// On points; or one by one, where sums are few enough and noise so sharp that points would misplace them.
double SumLikelihood::log_outright(std::int64_t n, const SumNoise& noise,
                                   const LatticeResolution& resolution) const {
  const auto records = static_cast<double>(n);
  if (n <= kMostRecords && !resolves(nodes_, tilted_, n, noise, resolution) &&
      enumerated_sums(nodes_, tilted_, records, noise) <= kMostSharp)
    return log_mean_enumerated(nodes_, tilted_, n, noise);
  return log_mean_lattice(nodes_, tilted_, n, noise, resolution);
}

bool SumLikelihood::few(std::int64_t n) const {
  const auto nodes = static_cast<double>(nodes_.at.size());
  return n == 1 || (n <= kMostRecords && multisets(nodes, static_cast<double>(n)) <= kMostListed);
}

double SumLikelihood::roughly_log_at(std::int64_t n) {
  const SumNoise noise = sum_noise(problem_, record_.lattice(), n);
  if (n == 0 || !possible_ || few(n)) return log_at(n);
  const auto records = static_cast<double>(n);
  find_tilt(nodes_, records, noise, tilted_.lambda, tilted_);
  if (!resolved(noise, nodes_, std::sqrt(records * tilted_.variance))) return log_at(n);
  return log_mean_lattice(nodes_, tilted_, n, noise, kRoughly);
}

double SumLikelihood::log_afresh(std::int64_t n, const SumNoise& noise) {
  const auto records = static_cast<double>(n);
  find_tilt(nodes_, records, noise, tilted_.lambda, tilted_);
  if (few(n)) return log_mean_enumerated(nodes_, tilted_, n, noise);
  const double least = std::ceil(records / kCachedReach);
  const double most = std::floor(records * kCachedReach);
  CharacteristicFunction sums(nodes_, tilted_, least, most, noise);
  if (!sums.usable() || (nodes_.whole && too_broad(sums, noise))) return log_outright(n, noise, kMany);
  const CharacteristicFunction::Answer answer = sums.log_mean(records, noise);
  cached_.push_front({least, most, std::move(sums)});
  return answer.log_mean;
}

}  // namespace postern::infer
