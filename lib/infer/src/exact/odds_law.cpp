#include "exact/odds_law.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "exact/careful_convolution.hpp"
#include "exact/poisson_noise.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 35;  ///< below its largest value a wave is cut
constexpr std::size_t kMostPoints = 40'000;
constexpr double kMostNoise = 1e-12;  ///< of the posterior, by rounding in the transform
constexpr double kAgreement = 1e-9;   ///< of the evidence with the tree's
constexpr std::int64_t kMostRemainders = 64;
constexpr double kSlight = 1e-15;     ///< a product of ripples that does not count beside waves of 1
constexpr double kMostRecords = 1e8;  ///< beyond, sums over Poisson counts are long

/// x^power times what a cell says about its Poisson mean x, on the grid of log x.
struct Wave {
  std::ptrdiff_t first = 0;
  std::vector<double> value;  ///< the largest is 1
  double log_scale = 0;
  /// Where remainders weigh differently, and by how much: value times unevenness, one a remainder.
  struct Ripple {
    std::size_t at = 0;
    std::size_t parts = 0;  ///< index of the first
    double largest = 0;
  };
  std::vector<Ripple> ripples;
  std::vector<double> parts;
  std::vector<std::size_t> unknown;  ///< where there may be ripples

  [[nodiscard]] double largest_ripple() const {
    double largest = 0;
    for (const Ripple& ripple : ripples) largest = std::max(largest, ripple.largest);
    for (const std::size_t i : unknown) largest = std::max(largest, value[i]);
    return largest;
  }
};

class WaveMaker {
 public:
  WaveMaker(const Cell& cell, double slope, std::int64_t modulus, double power, double step)
      : noise_(cell.noise(), slope, modulus),
        parts_(static_cast<std::size_t>(modulus)),
        power_(power),
        step_(step) {}

  /// Outwards from a likely count, until nothing is left.
  std::optional<Wave> run(double count) {
    const auto start = static_cast<std::ptrdiff_t>(std::floor(std::log(std::max(count, 0.5)) / step_));
    std::vector<Point> up;
    std::vector<Point> down;
    for (std::ptrdiff_t i = start; up.empty() || up.back().log >= top_ - kNats; ++i) {
      if (!add(i, up)) return std::nullopt;
    }
    for (std::ptrdiff_t i = start - 1; down.empty() || down.back().log >= top_ - kNats; --i) {
      if (!add(i, down)) return std::nullopt;
    }
    wave_.first = start - static_cast<std::ptrdiff_t>(down.size());
    wave_.log_scale = top_;
    std::reverse(down.begin(), down.end());
    down.insert(down.end(), up.begin(), up.end());
    wave_.value.reserve(down.size());
    for (std::size_t i = 0; i < down.size(); ++i) {
      wave_.value.push_back(std::exp(down[i].log - top_));
      if (down[i].unknown) wave_.unknown.push_back(i);
    }
    for (Wave::Ripple& ripple : wave_.ripples) {
      ripple.at -= static_cast<std::size_t>(wave_.first);  // was counted from 0 of the grid
      scale(ripple);
    }
    return std::move(wave_);
  }

  /// Finds the ripples of at least this size that are not yet known.
  void explore(Wave& wave, double least) {
    wave_ = std::move(wave);
    for (const std::size_t i : wave_.unknown) {
      if (wave_.value[i] < least) continue;
      noise_.unevenness(x_at(wave_.first + static_cast<std::ptrdiff_t>(i)), parts_);
      keep_parts(i);
      scale(wave_.ripples.back());
    }
    wave = std::move(wave_);
  }

 private:
  struct Point {
    double log = 0;
    bool unknown = false;
  };
  [[nodiscard]] double x_at(std::ptrdiff_t i) const { return std::exp(step_ * static_cast<double>(i)); }
  bool add(std::ptrdiff_t i, std::vector<Point>& points) {
    using enum PoissonNoise::Mean::Remainders;
    const PoissonNoise::Mean mean = noise_.mean(x_at(i), parts_);
    points.push_back({power_ * step_ * static_cast<double>(i) + mean.log, mean.remainders == unknown});
    if (mean.remainders == parted) keep_parts(static_cast<std::size_t>(i));
    top_ = std::max(top_, points.back().log);
    return points.size() <= kMostPoints && std::isfinite(points.back().log);
  }
  void keep_parts(std::size_t at) {
    wave_.ripples.push_back({at, wave_.parts.size(), 0});
    wave_.parts.insert(wave_.parts.end(), parts_.begin(), parts_.end());
  }
  void scale(Wave::Ripple& ripple) {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      double& part = wave_.parts[ripple.parts + c];
      part *= wave_.value[ripple.at];
      ripple.largest = std::max(ripple.largest, std::abs(part));
    }
  }

  PoissonNoise noise_;
  std::vector<double> parts_;
  double power_;
  double step_;
  double top_ = kMinusInfinity;
  Wave wave_;
};

/// sum over i - j = k of a(i) b(j), k from a's first less b's last on; remainders of both that add up to 0.
struct Correlation {
  std::ptrdiff_t first = 0;
  std::vector<double> value;
  double error = 0;
};
Correlation correlate(const Wave& a, const Wave& b, std::int64_t modulus) {
  Correlation out;
  out.first = a.first - b.first - static_cast<std::ptrdiff_t>(b.value.size()) + 1;
  const std::vector<double> reversed(b.value.rbegin(), b.value.rend());
  out.value = postern::convolve(a.value, reversed);
  out.error = transform_error(a.value, reversed);
  const auto remainders = static_cast<std::size_t>(modulus);
  for (const Wave::Ripple& x : a.ripples) {
    for (const Wave::Ripple& y : b.ripples) {
      if (x.largest * y.largest < kSlight) continue;
      double sum = a.parts[x.parts] * b.parts[y.parts];
      for (std::size_t c = 1; c < remainders; ++c)
        sum += a.parts[x.parts + c] * b.parts[y.parts + remainders - c];
      out.value[x.at + b.value.size() - 1 - y.at] += static_cast<double>(modulus) * sum;
    }
  }
  return out;
}

double log_share(double delta) { return -(std::max(-delta, 0.0) + std::log1p(std::exp(-std::abs(delta)))); }

/// Where the posterior is likely, and the grid that fits it.
struct Setting {
  Setting(const CountPlan& plan, AlphaSplit alpha) {
    for (std::size_t k = 0; k < 2; ++k) count[k] = plan.cells[k].moments(plan.tilts.tilt).mean;
    const double n = count[0] + count[1] + 1;
    share = (count[0] + 0.5) / n;
    delta = std::log((count[0] + 0.5) / (count[1] + 0.5));
    // Six steps a standard deviation of delta given the counts, and what the trapezoidal rule needs.
    step = std::min({0.16 / std::sqrt(n * share * (1 - share)), 0.5 / std::sqrt(n), 0.15});
    // The tilt of delta that levels theta^(a-1) (1-theta)^b where it matters; but a wave that reaches counts
    // of 0 must not grow towards them.
    tilt = (alpha.mine - 1) * (1 - share) - alpha.others * share;
    constexpr double kReached = -60;
    if (plan.cells[0].noise().log_ratio(0, count[0]) > kReached) tilt = std::max(tilt, -0.5);
    if (plan.cells[1].noise().log_ratio(0, count[1]) > kReached) tilt = std::min(tilt, -0.5);
  }
  double count[2] = {0, 0};
  double share = 0;  ///< of the first cell
  double delta = 0;
  double step = 0;
  double tilt = 0;
};

/// Sums over the grid.
struct Sums {
  double log_level = 0;  ///< divided out of all
  double whole = 0;
  double noise = 0;   ///< what rounding may have added
  double share = 0;   ///< of theta
  double rest = 0;    ///< of 1 - theta
  double square = 0;  ///< of (theta - setting's share)^2
};

/// Multiplies by theta^(a-1) (1-theta)^b e^{-tilt delta}.
void weigh(Correlation& density, const Setting& at, AlphaSplit alpha, Sums& sums) {
  const double both = alpha.mine + alpha.others - 1;
  const double slope = alpha.others + at.tilt;
  sums.log_level = both * log_share(at.delta) - slope * at.delta;
  for (std::size_t i = 0; i < density.value.size(); ++i) {
    const double delta = at.step * static_cast<double>(density.first + static_cast<std::ptrdiff_t>(i));
    const double odds = std::exp(-std::abs(delta));  // of the less likely cell
    const double log_theta = std::min(delta, 0.0) - std::log1p(odds);
    const double weight = std::exp(both * log_theta - slope * delta - sums.log_level);
    sums.noise += density.error * weight;
    const double mass = std::max(density.value[i], 0.0) * weight;
    density.value[i] = mass;
    const double large = 1 / (1 + odds);
    const double small = odds * large;
    const double theta = delta > 0 ? large : small;
    sums.whole += mass;
    sums.share += mass * theta;
    sums.rest += mass * (delta > 0 ? small : large);
    sums.square += mass * (theta - at.share) * (theta - at.share);
  }
}

}  // namespace

std::optional<OddsLaw> OddsLaw::make(const CountTree& tree, AlphaSplit alpha) {
  const CountPlan& plan = tree.plan();
  const std::int64_t modulus = plan.total.multiple();
  if (plan.tilts.totals.hi >= plan.total.support().hi || modulus > kMostRemainders) return std::nullopt;
  const Setting at(plan, alpha);
  if (at.count[0] + at.count[1] > kMostRecords) return std::nullopt;
  const double slope = plan.total.log_slope();
  WaveMaker makes_a(plan.cells[0], slope, modulus, 1 + at.tilt, at.step);
  WaveMaker makes_b(plan.cells[1], slope, modulus, -at.tilt, at.step);
  std::optional<Wave> a = makes_a.run(at.count[0]);
  if (!a) return std::nullopt;
  std::optional<Wave> b = makes_b.run(at.count[1]);
  if (!b) return std::nullopt;
  const double ripple_a = a->largest_ripple();
  makes_a.explore(*a, kSlight / b->largest_ripple());
  makes_b.explore(*b, kSlight / ripple_a);

  Correlation density = correlate(*a, *b, modulus);
  OddsLaw out;
  Sums sums;
  weigh(density, at, alpha, sums);
  if (!(sums.noise <= kMostNoise * sums.whole)) return std::nullopt;
  const double log_evidence = std::log(at.step * at.step * sums.whole) + a->log_scale + b->log_scale +
                              sums.log_level - std::log(static_cast<double>(modulus)) -
                              log_beta(alpha.mine, alpha.others) + plan.total.log_at(0);
  const double apart = std::abs(log_evidence - tree.log_evidence());
  if (!(apart <= kAgreement * (1 + 1e-6 * std::abs(log_evidence)))) return std::nullopt;
  out.mean_[0] = sums.share / sums.whole;
  out.mean_[1] = sums.rest / sums.whole;
  const double offset = out.mean_[0] - at.share;
  out.sd_ = std::sqrt(std::max(0.0, sums.square / sums.whole - offset * offset));
  out.law_ = EvenLaw(density.first, at.step, density.value);
  return out;
}

double OddsLaw::cdf(std::size_t cell, double theta) const {
  if (!(theta > 0)) return 0;
  if (theta >= 1) return 1;
  const double delta = std::log(theta) - std::log1p(-theta);
  return cell == 0 ? law_.cdf(delta) : 1 - law_.cdf(-delta);
}

double OddsLaw::quantile(std::size_t cell, double p) const {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return std::exp(log_share(cell == 0 ? law_.quantile(p) : -law_.quantile(1 - p)));
}

}  // namespace postern::infer
