#include "law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/special.hpp"

#include "polar.hpp"

namespace postern::infer {
namespace {

/// Gauss and Legendre's four points on -1..1.
constexpr double kNodes[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                             0.8611363115940526};
constexpr double kWeights[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                               0.3478548451374538};
constexpr double kDeviations = 7;  // past which a normal law is taken to have ended

/// A stretch of the first number that is encoded to one level.
struct Stretch {
  double lo;
  double hi;
  std::size_t level;
};

std::vector<Stretch> stretches(const model::EncodedNumber& number, double deviation, double panel) {
  constexpr double kMostPanels = 64;
  std::vector<Stretch> out;
  const auto add = [&](double lo, double hi, std::int64_t level) {
    lo = std::max(lo, -kDeviations * deviation);
    hi = std::min(hi, kDeviations * deviation);
    if (!(hi > lo)) return;
    const double panels = std::clamp(std::ceil((hi - lo) / panel), 1.0, kMostPanels);
    for (double i = 0; i < panels; ++i)
      out.push_back(
          {lo + (hi - lo) * i / panels, lo + (hi - lo) * (i + 1) / panels, static_cast<std::size_t>(level)});
  };
  const double far = std::numeric_limits<double>::infinity();
  add(-far, number.edges.front(), number.below);
  for (std::size_t l = 0; l < number.levels(); ++l)
    add(number.edges[l], number.edges[l + 1], static_cast<std::int64_t>(l));
  add(number.edges.back(), far, number.above);
  return out;
}

}  // namespace

AxisLaw::AxisLaw(const model::PrincipalAxis& model, const model::Schema& schema)
    : sigma_(model.sigma.get_d()), spread_(std::sqrt(model.variance.get_d())) {
  for (std::size_t c = 0; c < 2; ++c) {
    const model::EncodedNumber& number =
        numbers_.emplace_back(model::encoded_number(schema.at(model.columns[c]), {}, model::Wholes::rounded));
    for (const std::int64_t add : number.values.adds)
      middles_[c].push_back(number.values.zero + number.values.unit * static_cast<double>(add));
    rounding_[c] = number.values.unit * number.values.unit / 12;
  }
}

/// x_1 ~ N(0, v), x_2 | x_1 ~ N(slope x_1, c^2): the first by quadrature, the second by its distribution
/// function. c is at least sigma, and stretches are no wider than two of these.
void AxisLaw::fill_cells(double theta_1, double theta_2, double* cells) const {
  const double s2 = sigma_ * sigma_;
  const double variance = theta_1 * theta_1 + s2;
  const double slope = theta_1 * theta_2 / variance;
  const double across = std::sqrt(s2 * (variance + theta_2 * theta_2) / variance);
  const double deviation = std::sqrt(variance);
  const model::EncodedNumber& second = numbers_[1];
  const std::size_t levels = second.levels();
  std::fill_n(cells, numbers_[0].levels() * levels, 0.0);
  for (const Stretch& one : stretches(numbers_[0], deviation, 2 * sigma_)) {
    double* row = cells + one.level * levels;
    for (std::size_t k = 0; k < 4; ++k) {
      const double x = 0.5 * (one.lo + one.hi) + 0.5 * (one.hi - one.lo) * kNodes[k];
      const double mass = 0.5 * (one.hi - one.lo) * kWeights[k] * std::exp(-0.5 * x * x / variance) /
                          (deviation * 2.5066282746310002);
      double before = 0;
      for (std::size_t l = 0; l <= levels; ++l) {
        const double off = (second.edges[l] - slope * x) / across;
        const double below = off < -kDeviations ? 0 : (off > kDeviations ? 1 : normal_cdf(off));
        row[l == 0 ? static_cast<std::size_t>(second.below) : l - 1] += mass * (below - before);
        before = below;
      }
      row[static_cast<std::size_t>(second.above)] += mass * (1 - before);
    }
  }
}

LevelLaw::Theta AxisLaw::at(double theta_1, double theta_2) const {
  Theta out(2 + numbers_[0].levels() * numbers_[1].levels());
  out[0] = theta_1;
  out[1] = theta_2;
  fill_cells(theta_1, theta_2, out.data() + 2);
  double whole = 0;
  for (std::size_t x = 2; x < out.size(); ++x) whole += out[x];
  for (std::size_t x = 2; x < out.size(); ++x) out[x] /= whole;
  return out;
}

double AxisLaw::log_prior_at(double length) const { return -0.5 * length * length / (spread_ * spread_); }

void AxisLaw::report(const Theta& theta, std::span<double> out) const {
  out[0] = theta[0];
  out[1] = theta[1];
}

void AxisLaw::probabilities(const Theta& theta, std::vector<double>& p) const {
  p.assign(theta.begin() + 2, theta.end());
}

namespace {

/// Sums of squares and products of records at the middles of their cells, turned to their own axes.
AxisSums sums_of(std::span<const std::int64_t> counts, const std::vector<double>& first,
                 const std::vector<double>& second, const double* rounding) {
  AxisSums out;
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    const auto count = static_cast<double>(counts[cell]);
    const double x = first[cell / second.size()];
    const double y = second[cell % second.size()];
    out.n += count;
    xx += count * x * x;
    xy += count * x * y;
    yy += count * y * y;
  }
  xx = std::max(0.0, xx - out.n * rounding[0]);
  yy = std::max(0.0, yy - out.n * rounding[1]);
  const double apart = std::hypot((xx - yy) / 2, xy);
  out.most = (xx + yy) / 2 + apart;
  out.least = std::max(0.0, (xx + yy) / 2 - apart);
  out.angle = 0.5 * std::atan2(2 * xy, xx - yy);
  return out;
}

}  // namespace

LevelLaw::Theta AxisLaw::draw(std::span<const std::int64_t> counts, Rng& rng) const {
  const PolarPosterior likely(sums_of(counts, middles_[0], middles_[1], rounding_), sigma_, spread_);
  const auto [theta_1, theta_2] = likely.draw(rng);
  return at(theta_1, theta_2);
}

double AxisLaw::log_excess(const Theta& theta, std::span<const std::int64_t> counts) const {
  const PolarPosterior likely(sums_of(counts, middles_[0], middles_[1], rounding_), sigma_, spread_);
  double out = log_prior_at(std::hypot(theta[0], theta[1])) - likely.log_density(theta[0], theta[1]);
  for (std::size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] == 0) continue;
    const double p = theta[x + 2];
    out += static_cast<double>(counts[x]) * (p > 0 ? std::log(p) : kMinusInfinity);
  }
  return out;
}

}  // namespace postern::infer
