#include "start.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kFarthest = 0.95;  // of a mean from 0, and of a mean square
constexpr double kRidge = 10;       // what the metric adds to the noise's: about the prior's degrees

/// Noisy values of each G_ij, averaged by precision.
struct Averages {
  explicit Averages(std::size_t width) : value(width), precision(width) {}
  [[nodiscard]] bool has(std::size_t i, std::size_t j) const { return precision(i, j) > 0; }
  void add(const NoisyMoment& one, double value_here) {
    const std::size_t i = std::max(one.i, one.j);
    const std::size_t j = std::min(one.i, one.j);
    const double own = 1 / (one.noise.scale * one.noise.scale);
    precision(i, j) += own;
    value(i, j) += own / precision(i, j) * (value_here - value(i, j));
  }
  Matrix value, precision;
};

/// Those of two entries at once come last, and take the other entry as it was seen: the square of an
/// indicator is never measured of itself, and chains that began far from its sum would not find back.
Averages average(const MomentTarget& target, double n) {
  Averages out(target.width());
  const auto of_two = [](const NoisyMoment& one) { return one.weight != 0 && one.k + one.l != 0; };
  for (const NoisyMoment& one : target.problem().moments) {
    if (!of_two(one)) out.add(one, one.value - one.weight * n);
  }
  const Averages seen = out;
  for (const NoisyMoment& one : target.problem().moments) {
    const std::size_t k = std::max(one.k, one.l);
    const std::size_t l = std::min(one.k, one.l);
    if (of_two(one) && seen.has(k, l)) out.add(one, one.value - one.weight * seen.value(k, l));
  }
  return out;
}

/// Covariances are drawn in until the pivots allow: by little, unless noise is all there is.
Matrix definite(const Matrix& covariance, double floor) {
  const std::size_t size = covariance.size();
  for (double kept = 1; kept > 0.01; kept *= 0.8) {
    Matrix tried(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) tried(i, j) = kept * covariance(i, j);
      tried(i, i) = covariance(i, i);
    }
    if (!factorise(tried, size)) continue;
    double least = tried(0, 0);
    for (std::size_t i = 0; i < size; ++i) least = std::min(least, tried(i, i));
    if (least * least >= 0.5 * floor) return tried;
  }
  Matrix diagonal(size);
  for (std::size_t i = 0; i < size; ++i) diagonal(i, i) = std::sqrt(covariance(i, i));
  return diagonal;
}

/// Means, and a factor of the covariance, of records that the noisy values could be of.
struct Outline {
  std::vector<double> mean;
  Matrix factor;
};

Outline outline(const MomentTarget& target, double n) {
  const std::size_t size = target.width() - 1;
  const Averages seen = average(target, n);
  double noise = 1e300;
  for (const NoisyMoment& one : target.problem().moments) noise = std::min(noise, one.noise.scale);
  const double floor = std::min(0.02, std::max(noise / n, 1e-9));
  Outline out{std::vector<double>(size), Matrix(size)};
  Matrix covariance(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (seen.has(i + 1, 0)) out.mean[i] = std::clamp(seen.value(i + 1, 0) / n, -kFarthest, kFarthest);
    const double square = out.mean[i] * out.mean[i];
    // A target whose square was not measured may vary as much as its mean allows: less could cut off
    // covariances that were seen.
    const double spread = seen.has(i + 1, i + 1) ? seen.value(i + 1, i + 1) / n - square : 1 - square;
    covariance(i, i) = std::clamp(spread, floor, std::max(floor, kFarthest - square));
    for (std::size_t j = 0; j < i; ++j) {
      if (!seen.has(i + 1, j + 1)) continue;
      const double most = 0.99 * std::sqrt(covariance(i, i) * covariance(j, j));
      covariance(i, j) = std::clamp(seen.value(i + 1, j + 1) / n - out.mean[i] * out.mean[j], -most, most);
    }
  }
  out.factor = definite(covariance, floor);
  return out;
}

/// Adds the outer product of one noisy moment's slope in the unknowns, over its noise.
void add_information(Matrix& metric, const NoisyMoment& one, const MomentTarget& target,
                     const MomentWorkspace& work, double n) {
  const auto places = target.places();
  std::vector<std::pair<std::size_t, double>> slope;
  const auto entry = [&](std::size_t i, std::size_t j, std::size_t u) {
    const auto [row, column] = places[u];
    double out = 0;
    if (row == i) out += work.root(j, column);
    if (row == j) out += work.root(i, column);
    return out * (row == column ? work.root(row, row) : std::sqrt(n));
  };
  for (std::size_t u = 0; u < places.size(); ++u) {
    double value = entry(one.i, one.j, u);
    if (one.weight != 0) value += one.weight * entry(one.k, one.l, u);
    if (value != 0) slope.emplace_back(u, value / one.noise.scale);
  }
  for (const auto& [u, a] : slope) {
    for (const auto& [v, b] : slope) {
      if (v <= u) metric(u, v) += a * b;
    }
  }
}

}  // namespace

double plausible_n(const MomentTarget& target) {
  if (!target.latent()) return target.most_n();
  const Averages seen = average(target, 0);
  const double n = seen.has(0, 0) ? seen.value(0, 0) : target.most_n();
  return std::clamp(std::round(n), target.least_n(), target.most_n());
}

std::vector<double> plausible_moments(const MomentTarget& target, double n) {
  const Outline at = outline(target, n);
  std::vector<double> q;
  for (const auto [row, column] : target.places()) {
    if (column == 0) {
      q.push_back(at.mean[row - 1]);
    } else {
      const double value = at.factor(row - 1, column - 1);
      q.push_back(row == column ? std::log(value) : value);
    }
  }
  return q;
}

Matrix noise_metric(const MomentTarget& target, const std::vector<double>& q, double n) {
  MomentWorkspace work(target.width());
  (void)target.fill(q, n, work);
  Matrix metric(q.size());
  for (const NoisyMoment& one : target.problem().moments) add_information(metric, one, target, work, n);
  double largest = kRidge;
  for (std::size_t u = 0; u < q.size(); ++u) largest = std::max(largest, metric(u, u));
  // The ridge grows until rounding leaves every pivot its sign.
  for (double ridge = kRidge;; ridge = std::max(10 * ridge, 1e-12 * largest)) {
    Matrix tried = metric;
    for (std::size_t u = 0; u < q.size(); ++u) tried(u, u) += ridge;
    if (factorise(tried, q.size())) return factor_of_inverse(tried);
  }
}

MomentStart find_start(const MomentTarget& target, const Conversation& conversation) {
  constexpr int kRounds = 12;
  constexpr int kClimbs = 12;
  MomentStart out;
  out.n = plausible_n(target);
  out.q = plausible_moments(target, out.n);
  if (out.q.empty()) return out;
  const std::size_t size = out.q.size();
  MomentWorkspace work(target.width());
  std::vector<double> slope(size), along(size), step(size), tried(size);
  double height = target.gradient(out.q, out.n, work, slope);
  for (int round = 0; round < kRounds; ++round) {
    conversation.check();
    out.factor = noise_metric(target, out.q, out.n);
    const double before = height;
    double length = 1;
    for (int climb = 0; climb < kClimbs && length > 1e-6; ++climb) {
      multiply_transposed(out.factor, slope, along);
      multiply(out.factor, along, step);
      double reached = kMinusInfinity;
      for (length = std::min(1.0, 4 * length); length > 1e-6; length /= 2) {
        for (std::size_t u = 0; u < size; ++u) tried[u] = out.q[u] + length * step[u];
        reached = target.log_density(tried, out.n, work);
        if (reached > height) break;
      }
      if (!(reached > height)) break;
      out.q = tried;
      height = target.gradient(out.q, out.n, work, slope);
    }
    if (height - before < 0.05) break;
  }
  return out;
}

}  // namespace postern::infer
