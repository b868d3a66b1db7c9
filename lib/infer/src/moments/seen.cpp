#include "moments/seen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace postern::infer {
namespace {

constexpr double kStandsOut = 6;  // a pivot over its noise, from which its column is seen
constexpr double kHides = 2;      // an entry's signal over its noise, below which it is hidden

double variance_of(const MomentNoise& noise) {
  const double square = noise.scale * noise.scale;
  return noise.shape == MomentNoise::Shape::laplace ? 2 * square : square;
}

/// The noisy scatter about the noisy means.
DenseMatrix noisy_scatter(const SeenMoments& seen, std::size_t size, double n) {
  DenseMatrix out = DenseMatrix::Zero(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  const auto mean = [&](std::size_t i) { return seen.has(i + 1, 0) ? seen.value(i + 1, 0) : 0; };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (seen.has(i + 1, j + 1)) out(i, j) = seen.value(i + 1, j + 1) - mean(i) * mean(j) / n;
    }
  }
  return out;
}

/// The sd of the noise on a column's scatter: on its square and, where squares are counted from elsewhere
/// than the middle, on its sum.
double scatter_noise(const SeenMoments& seen, const ScatterProblem& problem, std::size_t column, double n) {
  const double square = seen.sd(column + 1, column + 1);
  if (problem.origin_of(column) == 0 || !seen.has(column + 1, 0)) return square;
  return std::hypot(square, 2 * seen.value(column + 1, 0) / n * seen.sd(column + 1, 0));
}

/// A pivoted factorisation in progress.
class Pivoting {
 public:
  Pivoting(const SeenMoments& seen, const ScatterProblem& problem, double n)
      : order_(problem.features()),
        residual_(noisy_scatter(seen, problem.features(), n)),
        noise_(problem.features()),
        spread_(problem.features(), 1) {
    const std::size_t size = problem.features();
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t i = 0; i < size; ++i)
      noise_[i] = seen.has(i + 1, i + 1) ? scatter_noise(seen, problem, i, n) / std::sqrt(2.0) : HUGE_VAL;
    for (std::size_t i = 0; i < size; ++i) alone_.push_back(ratio(i));
  }
  /// Takes columns while one stands out of its noise.
  std::size_t run() {
    std::size_t taken = 0;
    while (taken < order_.size() && take(taken)) ++taken;
    std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(taken), order_.end(),
                     [&](std::size_t a, std::size_t b) { return alone_[a] > alone_[b]; });
    return taken;
  }
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  /// A column's own variance over its noise, before any pivot.
  [[nodiscard]] double alone(std::size_t column) const { return std::max(1.0, alone_[column]); }

 private:
  [[nodiscard]] double ratio(std::size_t i) const { return residual_(i, i) / (noise_[i] * spread_[i]); }
  bool take(std::size_t from) {
    std::size_t best = order_.size();
    double most = kStandsOut;
    for (std::size_t a = from; a < order_.size(); ++a) {
      if (ratio(order_[a]) > most) {
        most = ratio(order_[a]);
        best = a;
      }
    }
    if (best == order_.size()) return false;
    std::swap(order_[from], order_[best]);
    const std::size_t k = order_[from];
    const DenseVector pivot = residual_.col(k);
    for (std::size_t a = from + 1; a < order_.size(); ++a) {
      const double share = pivot(order_[a]) / pivot(k);
      spread_[order_[a]] += share * share;
    }
    residual_ -= pivot * pivot.transpose() / pivot(k);
    return true;
  }

  std::vector<std::size_t> order_;
  DenseMatrix residual_;
  std::vector<double> noise_, spread_, alone_;
};

}  // namespace

SeenMoments::SeenMoments(const ScatterProblem& problem, double n)
    : value_(DenseMatrix::Zero(static_cast<Eigen::Index>(problem.width()),
                               static_cast<Eigen::Index>(problem.width()))),
      precision_(value_) {
  const auto of_two = [](const NoisyMoment& one) { return one.weight != 0 && one.k + one.l != 0; };
  for (const NoisyMoment& one : problem.moments) {
    if (!of_two(one)) add(one.i, one.j, one.value - one.weight * n, variance_of(one.noise));
  }
  const SeenMoments alone = *this;
  for (const NoisyMoment& one : problem.moments) {
    if (!of_two(one) || !alone.has(one.k, one.l)) continue;
    add(one.i, one.j, one.value - one.weight * alone.value(one.k, one.l),
        variance_of(one.noise) + one.weight * one.weight * alone.variance(one.k, one.l));
  }
}

void SeenMoments::add(std::size_t i, std::size_t j, double value, double variance) {
  const double total = precision_(i, j) + 1 / variance;
  value_(i, j) += (value - value_(i, j)) / (variance * total);
  precision_(i, j) = total;
  value_(j, i) = value_(i, j);
  precision_(j, i) = total;
}

double SeenMoments::sd(std::size_t i, std::size_t j) const { return 1 / std::sqrt(precision_(i, j)); }

double plausible_records(const ScatterProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  const auto least = static_cast<double>(least_records(problem));
  const double most = std::max(least + 1, static_cast<double>(std::get<LatentTotal>(problem.total).at_most));
  const SeenMoments seen(problem, 0);
  return std::clamp(seen.has(0, 0) ? seen.value(0, 0) : most, least + 0.5, most - 0.5);
}

ScatterOrder order_columns(const ScatterProblem& problem) {
  const double n = plausible_records(problem);
  const std::size_t size = problem.features();
  Pivoting pivoting(SeenMoments(problem, n), problem, n);
  ScatterOrder out;
  out.seen = pivoting.run();
  out.column = pivoting.order();
  for (std::size_t a = 0; a < size; ++a) {
    std::vector<bool>& row = out.hidden.emplace_back(a + 1);
    for (std::size_t b = 0; b < a; ++b)
      row[b] =
          b >= out.seen || std::sqrt(pivoting.alone(out.column[a]) * pivoting.alone(out.column[b])) < kHides;
    row[a] = a >= out.seen;
  }
  if (problem.target) out.column.push_back(size);
  return out;
}

}  // namespace postern::infer
