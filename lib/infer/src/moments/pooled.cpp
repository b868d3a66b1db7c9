#include "moments/pooled.hpp"

namespace postern::infer {

PooledMoments::PooledMoments(const ScatterProblem& problem, const ScatterOrder& order)
    : records_(problem.public_records()) {
  if (problem.stated) take_stated(problem, order);
  if (problem.public_moments.empty()) return;
  const auto size = static_cast<int>(problem.columns);
  const auto at = [&](std::size_t i, std::size_t j) {
    return problem.public_moments[i * problem.width() + j];
  };
  mean_.resize(size);
  scatter_.resize(size, size);
  for (int a = 0; a < size; ++a) mean_(a) = at(order.column[a] + 1, 0) / records_;
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < size; ++b)
      scatter_(a, b) = at(order.column[a] + 1, order.column[b] + 1) - records_ * mean_(a) * mean_(b);
  }
}

void PooledMoments::take_stated(const ScatterProblem& problem, const ScatterOrder& order) {
  const model::WishartPrior& prior = *problem.stated;
  const auto size = static_cast<int>(problem.columns);
  records_ = prior.weight;
  mean_.resize(size);
  scatter_ = DenseMatrix::Zero(size, size);
  for (int a = 0; a < size; ++a) {
    mean_(a) = prior.mean[order.column[a]];
    for (int b = 0; b < size && !prior.loose; ++b)
      scatter_(a, b) = prior.scale[order.column[a] * problem.columns + order.column[b]];
  }
}

void PooledMoments::fill(const ScatterState& state, Sums& out) const {
  out.n = state.n + records_;
  out.scatter = state.scatter;
  out.mean = state.mean;
  if (records_ == 0) return;
  const DenseVector apart = state.mean - mean_;
  out.scatter += scatter_ + (state.n * records_ / out.n) * apart * apart.transpose();
  out.mean = (state.n * state.mean + records_ * mean_) / out.n;
}

void PooledMoments::take_back(const ScatterState& state, ScatterSlope& slope) const {
  if (records_ == 0) return;
  const DenseVector apart = state.mean - mean_;
  const DenseVector turned = slope.scatter * apart;
  const double both = state.n + records_;
  slope.mean += 2 * (state.n * records_ / both) * turned;
  const double share = records_ / both;
  slope.log_n += state.n * share * share * apart.dot(turned);
}

}  // namespace postern::infer
