#include "metric.hpp"

#include <utility>

namespace postern::infer {

void MetricLearning::learn(std::span<const double> q) {
  count_ += 1;
  for (std::size_t i = 0; i < q.size(); ++i) {
    apart_[i] = q[i] - mean_[i];
    mean_[i] += apart_[i] / count_;
  }
  const double share = (count_ - 1) / count_;
  for (std::size_t i = 0; i < q.size(); ++i) {
    double* row = scatter_.row(i);
    const double f = share * apart_[i];
    for (std::size_t j = 0; j <= i; ++j) row[j] += f * apart_[j];
  }
}

void MetricLearning::improve(Matrix& factor) const {
  const std::size_t size = mean_.size();
  // The old one counts for as many draws as there are unknowns, nearly: fewer tell of few directions.
  const double old = 5 + 0.2 * static_cast<double>(size);
  const double learnt = 1 / (count_ - 1 + old);
  Matrix mixed(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double before = 0;
      for (std::size_t k = 0; k <= j; ++k) before += factor(i, k) * factor(j, k);
      mixed(i, j) = learnt * (scatter_(i, j) + old * before);
    }
  }
  if (factorise(mixed, size)) factor = std::move(mixed);
}

}  // namespace postern::infer
