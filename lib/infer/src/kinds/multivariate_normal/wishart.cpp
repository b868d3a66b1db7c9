#include "postern/infer/kinds/multivariate_normal/wishart.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

constexpr double kFarthest = 1e120;  ///< what lies beyond is not told apart: its powers would overflow

double within(double x) { return std::min(std::max(x, -kFarthest), kFarthest); }

/// The root of a chi-squared variable.
double draw_chi(double degrees, Rng& rng) {
  constexpr double kLeast = -500;  // of the logarithm
  return std::exp(0.5 * (std::log(2.0) + std::max(draw_log_gamma(degrees / 2, rng), kLeast)));
}

[[noreturn]] void refuse(Piece what) { throw Error(ErrorCode::bad_prior, {what}); }

void check(const WishartPrior& prior, std::size_t d) {
  if (d < 1 || d > kMostColumns) refuse("a vector of numbers has 1 to 8 columns");
  if (prior.scale.size() != d * d) refuse("the scale of the prior needs one row and one column a number");
  bool finite = std::isfinite(prior.weight) && std::isfinite(prior.degrees);
  for (const double x : prior.mean) finite = finite && std::isfinite(x);
  for (const double x : prior.scale) finite = finite && std::isfinite(x);
  if (!finite) refuse("every number of the prior must be finite");
  if (!(prior.weight > 0)) refuse("the weight of the prior must be positive");
  if (!(prior.degrees > static_cast<double>(d) - 1))
    refuse("the degrees of the prior must be above the number of columns less one");
}

}  // namespace

Square lower_factor(const Square& scatter, std::size_t d, const Row& least) {
  Square out;
  for (std::size_t i = 0; i < d; ++i) {
    double left = scatter(i, i);  // of the row's square, which no entry can pass
    for (std::size_t j = 0; j < i; ++j) {
      double rest = scatter(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= out(i, k) * out(j, k);
      const double most = std::sqrt(std::max(left, 0.0));
      out(i, j) = out(j, j) > 0 ? std::clamp(rest / out(j, j), -most, most) : 0;
      left -= out(i, j) * out(i, j);
    }
    out(i, i) = std::sqrt(std::max(left, least[i]));
  }
  return out;
}

Square made_definite(const Square& covariance, std::size_t d) {
  Square out = covariance;
  Row least{};
  for (double shrink = 0.97; shrink > 1e-3; shrink *= 0.8) {
    for (std::size_t i = 0; i < d; ++i) {
      least[i] = 1e-3 * out(i, i);
      for (std::size_t j = 0; j < i; ++j) {
        const double whole = std::sqrt(out(i, i) * out(j, j));
        out(i, j) = shrink * std::clamp(covariance(i, j), -whole, whole);
      }
    }
    const Square factor = lower_factor(out, d, {});
    bool definite = true;
    for (std::size_t i = 0; i < d; ++i) definite = definite && factor(i, i) * factor(i, i) > least[i];
    if (definite) return out;
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) out(i, j) = 0;
  }
  return out;
}

Square triangular(const Square& rows, std::size_t d) {
  Square left = rows;  // what no earlier direction has taken
  Square out;
  for (std::size_t j = 0; j < d; ++j) {
    double length = 0;
    for (std::size_t c = 0; c < d; ++c) length = std::hypot(length, left(j, c));
    length = std::max(length, 1e-150);
    Row direction{};
    for (std::size_t c = 0; c < d; ++c) direction[c] = left(j, c) / length;
    out(j, j) = length;
    for (std::size_t i = j + 1; i < d; ++i) {
      double along = 0;
      for (std::size_t c = 0; c < d; ++c) along += left(i, c) * direction[c];
      for (std::size_t c = 0; c < d; ++c) left(i, c) -= along * direction[c];
      out(i, j) = along;
    }
  }
  return out;
}

NormalWishart::NormalWishart(const WishartPrior& prior)
    : d_(prior.mean.size()), weight_(prior.weight), degrees_(prior.degrees) {
  check(prior, d_);
  for (std::size_t i = 0; i < d_; ++i) {
    mean_[i] = prior.mean[i];
    for (std::size_t j = 0; j < d_; ++j) {
      scale_(i, j) = prior.scale[i * d_ + j];
      const double other = prior.scale[j * d_ + i];
      const double size = std::max(std::abs(scale_(i, j)), std::abs(other));
      if (std::abs(scale_(i, j) - other) > 1e-9 * size) refuse("the scale of the prior must be symmetric");
    }
  }
  factor_ = lower_factor(scale_, d_, {});
  for (std::size_t i = 0; i < d_; ++i) {
    pivots_[i] = factor_(i, i) * factor_(i, i);
    if (!(pivots_[i] > 1e-14 * scale_(i, i))) refuse("the scale of the prior must be positive definite");
    if (prior.loose) loose_[i] = scale_(i, i);
  }
}

/// Each column of the factor's inverse adds its square to the diagonal of Sigma^-1.
void NormalWishart::settle(const MeanAndSpread& theta, Rng& rng) {
  for (std::size_t i = 0; i < d_ && loose_[i] > 0; ++i) {
    Row solved{};
    double seen = 0;
    for (std::size_t k = i; k < d_; ++k) {
      double rest = k == i ? 1 : 0;
      for (std::size_t j = i; j < k; ++j) rest -= theta.factor(k, j) * solved[j];
      solved[k] = rest / theta.factor(k, k);
      seen += solved[k] * solved[k];
    }
    const double entry = 2 * draw_gamma((degrees_ + 1) / 2, rng) / (1 / loose_[i] + seen);
    pivots_[i] = scale_(i, i) = std::max(entry, 1e-30 * loose_[i]);
    factor_(i, i) = std::sqrt(pivots_[i]);
  }
}

/// Adding a scatter raises no pivot of the scale's factor downwards, which keeps the factor from rounding.
/// With the upper triangular Bartlett factor A of a Wishart draw, Sigma = (C A^-T) (C A^-T)^T, C C^T being
/// the scale, and C A^-T is lower triangular.
MeanAndSpread NormalWishart::draw(const VectorMoments& moments, Rng& rng) const {
  const double weight = weight_ + moments.weight;
  Square scale = scale_;
  Row centre{};
  for (std::size_t i = 0; i < d_; ++i) {
    const double away = moments.weight > 0 ? moments.mean[i] - mean_[i] : 0;
    centre[i] = mean_[i] + moments.weight / weight * away;
    for (std::size_t j = 0; j <= i && moments.weight > 0; ++j)
      scale(i, j) +=
          moments.scatter(i, j) + weight_ * moments.weight / weight * away * (moments.mean[j] - mean_[j]);
  }
  const Square c = lower_factor(scale, d_, pivots_);
  Square a;  // A^T: row k holds column k of A
  for (std::size_t k = 0; k < d_; ++k) {
    a(k, k) = draw_chi(degrees_ + moments.degrees - static_cast<double>(d_ - 1 - k), rng);
    for (std::size_t j = 0; j < k; ++j) a(k, j) = draw_normal(rng);
  }
  MeanAndSpread out;
  for (std::size_t row = 0; row < d_; ++row) {
    for (std::size_t j = row + 1; j-- > 0;) {
      double rest = c(row, j);
      for (std::size_t k = j + 1; k <= row; ++k) rest -= out.factor(row, k) * a(k, j);
      out.factor(row, j) = within(rest / a(j, j));
    }
  }
  Row z{};
  for (std::size_t i = 0; i < d_; ++i) z[i] = draw_normal(rng) / std::sqrt(weight);
  for (std::size_t i = 0; i < d_; ++i) {
    double mean = centre[i];
    for (std::size_t j = 0; j <= i; ++j) mean += out.factor(i, j) * z[j];
    out.mean[i] = within(mean);
  }
  return out;
}

double NormalWishart::log_weight(const MeanAndSpread& theta) const {
  double log_det = 0;  // of the factor
  double square = 0;   // of factor^-1 (C | sqrt(weight) (mu - mean))
  Square solved;
  Row away{};
  for (std::size_t i = 0; i < d_; ++i) {
    const double pivot = theta.factor(i, i);
    log_det += std::log(pivot);
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = factor_(i, j);
      for (std::size_t k = j; k < i; ++k) rest -= theta.factor(i, k) * solved(k, j);
      solved(i, j) = rest / pivot;
      square += solved(i, j) * solved(i, j);
    }
    double rest = theta.mean[i] - mean_[i];
    for (std::size_t k = 0; k < i; ++k) rest -= theta.factor(i, k) * away[k];
    away[i] = rest / pivot;
    square += weight_ * away[i] * away[i];
  }
  return -(degrees_ + 1) * log_det - 0.5 * square;
}

MeanAndSpread NormalWishart::nearby(const MeanAndSpread& from, double records, Rng& rng) const {
  if (!(records > 0)) return draw({}, rng);
  VectorMoments imagined;
  const double degrees = records + static_cast<double>(d_);
  imagined.weight = records;
  imagined.degrees = degrees + 1;
  Square rows;
  for (std::size_t i = 0; i < d_; ++i) {
    rows(i, i) = draw_chi(degrees - static_cast<double>(i), rng);
    for (std::size_t j = 0; j < i; ++j) rows(i, j) = draw_normal(rng);
  }
  Row z{};
  for (std::size_t i = 0; i < d_; ++i) z[i] = draw_normal(rng) / std::sqrt(records);
  Square spread;  // factor rows
  for (std::size_t i = 0; i < d_; ++i) {
    imagined.mean[i] = from.mean[i];
    for (std::size_t k = 0; k <= i; ++k) {
      imagined.mean[i] += from.factor(i, k) * z[k];
      for (std::size_t j = 0; j <= k; ++j) spread(i, j) += from.factor(i, k) * rows(k, j);
    }
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k <= j; ++k) imagined.scatter(i, j) += spread(i, k) * spread(j, k);
    }
  }
  return draw(imagined, rng);
}

}  // namespace postern::infer
