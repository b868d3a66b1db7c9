#include "markov/posterior/correlated.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer::markov {
namespace {

/// out = a b, of full square matrices.
Matrix product(const Matrix& a, const Matrix& b) {
  const std::size_t size = a.size();
  Matrix out(size);
  for (std::size_t i = 0; i < size; ++i) {
    double* row = out.row(i);
    for (std::size_t k = 0; k < size; ++k) {
      const double f = a(i, k);
      if (f == 0) continue;
      const double* other = b.row(k);
      for (std::size_t j = 0; j < size; ++j) row[j] += f * other[j];
    }
  }
  return out;
}

Matrix transposed(const Matrix& a) {
  Matrix out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) out(j, i) = a(i, j);
  }
  return out;
}

/// About how much a noisy value tells of its cell, against the variance of its noise: a kink tells more.
double precision_of(const Measurements::Value& value) {
  return value.scale > 0 ? 0.7 / (value.scale * value.scale) : 1 / value.variance;
}

/// Q^T W Q, W what the values of each cell tell.
Matrix information(const PosteriorSetting& setting, std::span<const double> weights) {
  const std::size_t rank = setting.basis.rank();
  Matrix out(rank);
  std::vector<double> unit(rank);
  std::vector<double> cells(setting.basis.dimension());
  for (std::size_t j = 0; j < rank; ++j) {
    unit[j] = 1;
    setting.basis.expand(unit, cells);
    unit[j] = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] *= weights[i];
    setting.basis.reduce(cells, std::span(out.row(j), rank));
  }
  return out;
}

}  // namespace

CorrelatedTarget::CorrelatedTarget(const PosteriorSetting& setting)
    : setting_(&setting),
      rank_(setting.basis.rank()),
      root_total_(std::sqrt(setting.total)),
      root_(factor_of_covariance(setting.covariance)) {
  whiten();
}

/// The precision of (t, z, n) where everything is linearised at the mode, and the inverse of its factor.
void CorrelatedTarget::whiten() {
  const double n = setting_->total;
  std::vector<double> weights(setting_->basis.dimension());
  for (const Measurements::Value& value : setting_->data.values) weights[value.cell] += precision_of(value);
  const Matrix told = information(*setting_, weights);
  const Matrix& covariance = setting_->covariance;
  const Matrix down = transposed(root_.matrix());
  const Matrix told_of_t = product(told, covariance);
  const Matrix tt = product(covariance, told_of_t);
  const Matrix zt = product(down, told_of_t);
  const Matrix zz = product(down, product(told, root_.matrix()));
  Matrix precision(size());
  for (std::size_t i = 0; i < rank_; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) {
      if (j <= i) {
        precision(i, j) = n * n * tt(i, j) + setting_->known_total * covariance(i, j);
        precision(rank_ + i, rank_ + j) = n * zz(i, j);
      }
      precision(rank_ + i, j) = n * root_total_ * zt(i, j);
    }
    precision(i, i) += 1 / setting_->prior_variance;
    precision(rank_ + i, rank_ + i) += 1;
  }
  if (setting_->latent) {
    Workspace work = workspace();
    setting_->basis.expand(setting_->mode, work.theta);
    setting_->data.model->evaluate(work.theta, work.law);
    const std::vector<double>& mu = work.law.marginals;
    double own = 1 / std::pow(std::max(setting_->most, 1.0), 2);
    for (std::size_t i = 0; i < mu.size(); ++i) {
      work.slopes[i] = weights[i] * mu[i];
      own += weights[i] * mu[i] * mu[i];
    }
    setting_->basis.reduce(work.slopes, work.reduced);
    for (std::size_t j = 0; j < rank_; ++j) {
      for (std::size_t k = 0; k < rank_; ++k) {
        precision(2 * rank_, j) += n * covariance(j, k) * work.reduced[k];
        precision(2 * rank_, rank_ + j) += root_total_ * down(j, k) * work.reduced[k];
      }
    }
    precision(2 * rank_, 2 * rank_) = own;
  }
  Matrix inverse(size());
  if (!factorise(precision, size())) precision = factor_of_covariance(precision);
  invert_factor(precision, size(), inverse);
  whitened_ = LowerMap(std::move(inverse));
}

CorrelatedTarget::Workspace CorrelatedTarget::workspace() const {
  Workspace work;
  work.law = setting_->data.model->workspace();
  for (std::vector<double>* of_q : {&work.q, &work.scratch}) of_q->resize(size());
  for (std::vector<double>* cells : {&work.theta, &work.slopes, &work.moved, &work.error})
    cells->resize(setting_->basis.dimension());
  for (std::vector<double>* inner : {&work.reduced, &work.inner}) inner->resize(rank_);
  return work;
}

double CorrelatedTarget::place(std::span<const double> x, Workspace& work) const {
  whitened_.apply_transposed(x, work.q);
  for (std::size_t i = 0; i < rank_; ++i) work.q[i] += setting_->mode[i];
  setting_->basis.expand(std::span(work.q).first(rank_), work.theta);
  if (!setting_->latent) return setting_->total;
  work.q[2 * rank_] += setting_->total;
  return work.q[2 * rank_];
}

/// The log probability of the noise, and its slope in each cell.
double CorrelatedTarget::noise(double n, Workspace& work) const {
  std::fill(work.slopes.begin(), work.slopes.end(), 0.0);
  double sum = 0;
  for (const Measurements::Value& value : setting_->data.values) {
    const double r = value.y - n * work.law.marginals[value.cell] - work.error[value.cell];
    if (value.scale > 0) {
      sum -= std::abs(r) / value.scale;
      work.slopes[value.cell] += (r > 0 ? 1 : -1) / value.scale;
    } else {
      sum -= 0.5 * r * r / value.variance;
      work.slopes[value.cell] += r / value.variance;
    }
  }
  return sum;
}

void CorrelatedTarget::tell(std::span<const double> x, Workspace& work, std::span<double> latent) const {
  const double n = place(x, work);
  setting_->data.model->evaluate(work.theta, work.law);
  root_.apply(std::span(work.q).subspan(rank_, rank_), work.inner);
  for (double& e : work.inner) e *= root_total_;
  setting_->basis.expand(work.inner, work.error);
  for (std::size_t i = 0; i < latent.size(); ++i) {
    const std::size_t cell = setting_->data.values[i].cell;
    latent[i] = n * work.law.marginals[cell] + work.error[cell];
  }
}

double CorrelatedTarget::gradient(std::span<const double> x, Workspace& work, std::span<double> slope) const {
  const double n = place(x, work);
  if (setting_->latent && !(n >= 0 && n <= setting_->most)) return kMinusInfinity;
  setting_->data.model->evaluate(work.theta, work.law);
  const std::span<const double> z = std::span(work.q).subspan(rank_, rank_);
  root_.apply(z, work.inner);
  for (double& e : work.inner) e *= root_total_;
  setting_->basis.expand(work.inner, work.error);
  double value = noise(n, work);
  const std::span<double> own = work.scratch;
  setting_->data.model->covariance_times(work.slopes, work.law, work.moved);
  setting_->basis.reduce(work.moved, own.first(rank_));
  setting_->basis.reduce(work.slopes, work.reduced);
  root_.apply_transposed(work.reduced, own.subspan(rank_, rank_));
  for (std::size_t i = 0; i < rank_; ++i) {
    const double t = work.q[i];
    value -= 0.5 * (t * t / setting_->prior_variance + z[i] * z[i]);
    own[i] = n * own[i] - t / setting_->prior_variance;
    own[rank_ + i] = root_total_ * own[rank_ + i] - z[i];
  }
  if (setting_->latent) {
    double sum = setting_->log_slope;
    for (std::size_t i = 0; i < work.slopes.size(); ++i) sum += work.slopes[i] * work.law.marginals[i];
    own[2 * rank_] = sum;
    value += setting_->log_slope * n;
  }
  if (setting_->known_total > 0) {
    setting_->basis.reduce(work.law.marginals, work.reduced);
    value -= setting_->known_total * work.law.log_partition;
    for (std::size_t i = 0; i < rank_; ++i) {
      value += work.q[i] * setting_->known[i];
      own[i] += setting_->known[i] - setting_->known_total * work.reduced[i];
    }
  }
  whitened_.apply(own, slope);
  return value;
}

}  // namespace postern::infer::markov
