#include "moments/learned_draws.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {

void draw_slopes(const ScatterTarget& target, const ScatterWorkspace& work, Rng& rng, std::span<double> beta,
                 double& sigma) {
  const int d = target.places().features;
  const DenseMatrix& factor = work.slopes.factor;
  // The last pivot is sqrt(2 b), b the rate of sigma2.
  sigma = factor(d, d) *
          std::exp(-0.5 * (std::log(2.0) + draw_log_gamma(target.slopes().power(work.sums.n), rng)));
  DenseVector slopes(d);
  for (int i = d; i-- > 0;) {
    double right = factor(d, i) + sigma * draw_normal(rng);
    for (int k = i + 1; k < d; ++k) right -= factor(k, i) * slopes(k);
    slopes(i) = right / factor(i, i);
  }
  beta[0] = work.sums.mean(d) - work.sums.mean.head(d).dot(slopes) +
            sigma / std::sqrt(work.sums.n) * draw_normal(rng);
  for (int i = 0; i < d; ++i) beta[target.map().order().column[i] + 1] = slopes(i);
}

double log_scale_ratio(const ScatterTarget& target, const ScatterWorkspace& work,
                       std::span<const double> beta, double sigma, double times) {
  const int d = target.places().features;
  DenseVector slopes(d);
  for (int i = 0; i < d; ++i) slopes(i) = beta[target.map().order().column[i] + 1];
  return target.covariance().scales().log_scale_ratio(work.state, times) +
         target.slopes().log_scale_ratio(work.state, work.slopes, slopes, sigma, times);
}

void draw_features_law(const ScatterTarget& target, const ScatterWorkspace& work, Rng& rng,
                       std::span<double> covariance, std::span<double> means) {
  const int d = target.places().features;
  DenseMatrix sum;
  const double degrees = target.fill_covariance_law(work, sum);
  const DenseMatrix root = sum.llt().matrixL();
  // Sigma = X X^T, X = root A^-T, A the factor of a standard Wishart matrix (Bartlett).
  DenseMatrix bartlett = DenseMatrix::Zero(d, d);
  for (int i = 0; i < d; ++i) {
    bartlett(i, i) = std::sqrt(2 * draw_gamma(0.5 * (degrees - i), rng));
    for (int j = 0; j < i; ++j) bartlett(i, j) = draw_normal(rng);
  }
  const DenseMatrix turned = bartlett.triangularView<Eigen::Lower>().solve(root.transpose());
  const DenseMatrix sigma = turned.transpose() * turned;
  DenseVector z(d);
  for (double& one : z) one = draw_normal(rng);
  const DenseVector mean = work.sums.mean.head(d) + turned.transpose() * z / std::sqrt(work.sums.n);
  const std::vector<std::size_t>& column = target.map().order().column;
  for (int a = 0; a < d; ++a) {
    means[column[a]] = mean(a);
    for (int b = 0; b <= a; ++b) {
      const std::size_t i = std::min(column[a], column[b]);
      const std::size_t j = std::max(column[a], column[b]);
      covariance[i * static_cast<std::size_t>(d) - i * (i + 1) / 2 + j] = sigma(a, b);
    }
  }
}

}  // namespace postern::infer
