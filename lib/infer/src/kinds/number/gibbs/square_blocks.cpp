#include "square_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/truncated_draw.hpp"

namespace postern::infer {
namespace {

constexpr int kRedraws = 100;

/// What is left of a variance below the table's accuracy is none.
double schur_of(const SquareMoments& record) {
  if (!(record.variance > 0)) return 0;
  const double left = record.square_variance - record.covariance * (record.covariance / record.variance);
  return left > 1e-9 * record.square_variance ? left : 0;
}

}  // namespace

SquareBlocks::SquareBlocks(double n, const SquareMoments& record, double precision, double square_precision)
    : n_(n),
      record_(record),
      schur_(schur_of(record)),
      root_(std::sqrt(precision)),
      square_root_(std::sqrt(square_precision)) {
  // k^2 - E k^2 = (k - m)^2 - V + 2 m (k - m)
  const double m = record.mean;
  const double cross = 2 * m * record.variance + record.covariance;
  const double square = 2 * m * (cross + record.covariance) + record.square_variance;
  a_ = 1 + n * record.variance * precision;
  d_ = 1 + n * square * square_precision;
  b_ = n * cross * root_ * square_root_;
  determinant_ = a_ + (d_ - 1) + (n * record.variance * precision) * (n * schur_ * square_precision);
}

std::array<double, 2> SquareBlocks::solve(double first, double second) const {
  return {(d_ * first - b_ * second) / determinant_, (a_ * second - b_ * first) / determinant_};
}

double SquareBlocks::log_likelihood(double y, double square_y) const {
  const double m = record_.mean;
  const double first = root_ * (y - n_ * m);
  const double second = square_root_ * (square_y - n_ * (record_.variance + m * m));
  const auto [x, z] = solve(first, second);
  return -0.5 * (std::log(determinant_) + std::max(first * x + second * z, 0.0));
}

std::array<double, 2> SquareBlocks::draw(double y, double square_y, Rng& rng) const {
  const double m = record_.mean;
  const double v = record_.variance;
  const double slope = v > 0 ? record_.covariance / v : 0;
  double first = std::sqrt(n_ * v) * draw_normal(rng);
  double second = slope * first + std::sqrt(n_ * schur_) * draw_normal(rng);
  const double miss = root_ * (y - (n_ * m + first)) - draw_normal(rng);
  const double square_miss =
      square_root_ * (square_y - (n_ * (v + m * m) + 2 * m * first + second)) - draw_normal(rng);
  auto [p, q] = solve(miss, square_miss);
  q *= square_root_;
  p = p * root_ + 2 * m * q;
  first += n_ * (v * p + record_.covariance * q);
  second += n_ * (record_.covariance * p + (slope * record_.covariance + schur_) * q);
  return {first, second};
}

int draw_given_seen(double n, const OwnMoments& own, const SquareMoments& record,
                    const std::array<double, 2>& seen, SumPair& sums, Rng& rng) {
  // Cov(q, w) against k alone and against what (k - E k)^2 adds to it.
  double mean[2] = {n * own.mean, n * own.mean_square};
  double left[3] = {own.variance, own.covariance, own.square_variance};
  const auto explain = [&](double given, double spread, double with_first, double with_second) {
    if (!(spread > 0)) return;
    mean[0] += with_first / spread * given;
    mean[1] += with_second / spread * given;
    left[0] -= with_first / spread * with_first;
    left[1] -= with_first / spread * with_second;
    left[2] -= with_second / spread * with_second;
  };
  const auto& with = record.with;
  const double slope = record.variance > 0 ? record.covariance / record.variance : 0;
  explain(seen[0], record.variance, with[0][0], with[0][1]);
  explain(seen[1] - slope * seen[0], schur_of(record), with[1][0] - slope * with[0][0],
          with[1][1] - slope * with[0][1]);
  left[0] = std::max(left[0], 0.0);
  left[2] = std::max(left[2], 0.0);
  const double most = std::sqrt(left[0] * left[2]);
  left[1] = std::clamp(left[1], -most, most);

  const double deviation = std::sqrt(n * left[0]);
  const double turn = left[0] > 0 ? left[1] / left[0] : 0;
  const double rest = std::sqrt(n * std::max(left[2] - turn * left[1], 0.0));
  for (int attempt = 0; attempt < kRedraws; ++attempt) {
    const double first = mean[0] + deviation * draw_normal(rng);
    const double second = mean[1] + turn * (first - mean[0]) + rest * draw_normal(rng);
    if (second > first * (first / n)) {
      sums = {first, second};
      return attempt;
    }
  }
  const double lowest = sums.first * (sums.first / n);
  sums.second = draw_truncated_normal(mean[1] + turn * (sums.first - mean[0]), rest, lowest, HUGE_VAL, rng);
  const double back = left[2] > 0 ? left[1] / left[2] : 0;
  const double spread = std::sqrt(n * std::max(left[0] - back * left[1], 0.0));
  const double reach = std::sqrt(n * std::max(sums.second, 0.0));
  sums.first = draw_truncated_normal(mean[0] + back * (sums.second - mean[1]), spread, -reach, reach, rng);
  return kRedraws;
}

}  // namespace postern::infer
