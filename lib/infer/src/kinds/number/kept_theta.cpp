#include "postern/infer/kinds/number/kept_theta.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/chains/slice.hpp"

namespace postern::infer {
namespace {

constexpr double kMostFree = 690;  ///< of log theta and of log odds, as far as theta is a double
constexpr double kFarthest = 1e9;  ///< of the line

/// Beyond these the logarithm of a density is a straight line: theta is so near to 0 or 1 that records and
/// prior only know its order of magnitude, or that it has too few digits for more.
struct Ends {
  double low, high;
};

/// A parameter on the whole line.
double to_line(double theta, model::ParameterSpace space) {
  if (space == model::ParameterSpace::real) return theta;
  const double free =
      space == model::ParameterSpace::positive ? std::log(theta) : std::log(theta) - std::log1p(-theta);
  return std::clamp(free, -kMostFree, kMostFree);
}

double from_line(double free, model::ParameterSpace space) {
  if (space == model::ParameterSpace::real) return free;
  if (space == model::ParameterSpace::positive) return std::clamp(std::exp(free), 1e-300, 1e300);
  const double theta = free < 0 ? std::exp(free) / (1 + std::exp(free)) : 1 / (1 + std::exp(-free));
  return std::clamp(theta, 1e-300, 1 - 0x1p-53);
}

/// log |d theta / d free|
double log_slope(double free, model::ParameterSpace space) {
  if (space == model::ParameterSpace::real) return 0;
  if (space == model::ParameterSpace::positive) return free;
  return -std::abs(free) - 2 * std::log1p(std::exp(-std::abs(free)));
}

/// A log density on the line, drawn on straight beyond the ends.
template <class LogDensity>
class StraightEnds {
 public:
  StraightEnds(const Ends& ends, const LogDensity& middle) : ends_(ends), middle_(middle) {}

  double operator()(double free) const {
    if (free >= ends_.low && free <= ends_.high) return middle_(free);
    const double end = free < ends_.low ? ends_.low : ends_.high;
    const double rate = fall(end);
    return rate > 0 ? middle_(end) - rate * std::abs(free - end) : kMinusInfinity;
  }
  /// Where a theta stands that is only known to lie beyond an end: anywhere there, by the density.
  [[nodiscard]] double place(double free, Rng& rng) const {
    if (free >= ends_.low && free <= ends_.high) return free;
    const double end = free < ends_.low ? ends_.low : ends_.high;
    const double rate = fall(end);
    if (!(rate > 0)) return end;
    const double beyond = std::min(draw_exponential(rng) / rate, kFarthest);
    return free < ends_.low ? end - beyond : end + beyond;
  }

 private:
  /// How fast the density falls outwards.
  [[nodiscard]] double fall(double end) const {
    constexpr double kStep = 8;
    const double inner = end == ends_.low ? end + kStep : end - kStep;
    return (middle_(inner) - middle_(end)) / kStep;
  }

  Ends ends_;
  const LogDensity& middle_;
};

class KeptTheta {
 public:
  KeptTheta(const model::NumberLaw& law, const model::Hyper& prior, std::span<const KeptRecords> records)
      : law_(law), prior_(prior), records_(records) {}

  void slice(model::Theta& theta, std::size_t parameter, Rng& rng) const {
    const model::ParameterSpace space = law_.space(parameter);
    const auto at = [&](double free) {
      model::Theta moved = theta;
      moved[parameter] = from_line(free, space);
      return moved;
    };
    const auto middle = [&](double free) { return log_weight(at(free)) + log_slope(free, space); };
    const StraightEnds log_density(ends(space, parameter), middle);
    theta = at(draw(log_density.place(to_line(theta[parameter], space), rng), parameter, log_density, rng));
  }
  /// Of a mean and a variance: along (mean - centre) / variance, on which kept records say least where their
  /// law is nearly flat.
  void slice_together(model::Theta& theta, double centre, Rng& rng) const {
    const double ratio = (theta[0] - centre) / theta[1];
    const auto at = [&](double free) {
      const double variance = std::exp(free);
      return model::Theta{centre + ratio * variance, variance};
    };
    const auto log_density = [&](double free) {
      return std::abs(free) > kMostFree ? kMinusInfinity : log_weight(at(free)) + 2 * free;
    };
    theta = at(draw(to_line(theta[1], model::ParameterSpace::positive), 1, log_density, rng));
  }

 private:
  [[nodiscard]] Ends ends(model::ParameterSpace space, std::size_t parameter) const {
    if (space == model::ParameterSpace::real) return {-1e300, 1e300};
    const double high = space == model::ParameterSpace::positive ? 650 : 25;
    if (parameter > 0) return {-650, high};
    double large = std::max({1.0, std::abs(prior_[0]), std::abs(prior_[1])});
    for (const KeptRecords& records : records_)
      large = std::max({large, std::abs(records.range->from()), std::abs(records.range->to())});
    return {-45 - std::log(large), high};
  }
  [[nodiscard]] double log_weight(const model::Theta& theta) const {
    const double power = log_kept_power(records_, theta);
    if (!std::isfinite(power)) return kMinusInfinity;
    const double weight = law_.log_prior(prior_, theta) - power;
    return std::isnan(weight) ? kMinusInfinity : weight;
  }
  /// The slice is as wide as two draws of records that are all kept lie apart, times up to e^4: kept records
  /// say less about theta, by how much is not known.
  template <class LogDensity>
  [[nodiscard]] double draw(double free, std::size_t parameter, const LogDensity& log_density,
                            Rng& rng) const {
    const model::ParameterSpace space = law_.space(parameter);
    const double one = to_line(law_.draw_theta(prior_, rng)[parameter], space);
    const double other = to_line(law_.draw_theta(prior_, rng)[parameter], space);
    const double most = space == model::ParameterSpace::real ? 1e300 : kFarthest;
    const double width =
        std::clamp(2 * std::abs(one - other), 1e-12 * std::max(std::abs(one), 1e-280), 1e280);
    return draw_slice(free, log_density(free), {-most, most, width * std::exp(4 * rng.uniform())},
                      log_density, rng);
  }

  const model::NumberLaw& law_;
  const model::Hyper& prior_;
  std::span<const KeptRecords> records_;
};

}  // namespace

double log_kept_power(std::span<const KeptRecords> records, const model::Theta& theta) {
  double sum = 0;
  for (const auto& [range, n] : records) {
    if (n > 0 && range->drops()) sum += n * range->log_kept(theta);
  }
  return sum;
}

void step_kept_theta(const model::NumberLaw& law, std::size_t parameters, const model::Hyper& prior,
                     std::span<const KeptRecords> records, model::Theta& theta, Rng& rng) {
  const KeptTheta density(law, prior, records);
  if (parameters == 1) {
    density.slice(theta, 0, rng);
    return;
  }
  const model::KeptRange& range = *records.front().range;
  const double centre = 0.5 * (range.from() + range.to());
  density.slice(theta, 0, rng);
  density.slice(theta, 1, rng);
  density.slice_together(theta, centre, rng);
}

}  // namespace postern::infer
