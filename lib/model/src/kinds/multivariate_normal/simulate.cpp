#include "kinds/multivariate_normal/simulate.hpp"

#include "postern/core/draw.hpp"

namespace postern::model {

VectorGatherer::VectorGatherer(const std::vector<std::string>& columns, const Schema& schema,
                               std::vector<RegressionScale> scales)
    : scales_(std::move(scales)), sums_(no_vectors(columns.size())) {
  for (const std::string& name : columns) numbers_.emplace_back(schema.at(name));
  scales_.resize(columns.size());
}

void VectorGatherer::add(const std::vector<double>& x) {
  bool off = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = scales_[i].centre + scales_[i].half * x[i];
    levels_.push_back(static_cast<std::uint32_t>(numbers_[i].level_of(value)));  // none is dropped
    off = off || numbers_[i].lies_outside(value);
  }
  if (off) ++outside_;
  add_vector(sums_, x);
}

void VectorGatherer::draw(const VectorTheta& theta, std::int64_t n, Rng& rng) {
  const std::size_t d = numbers_.size();
  std::vector<double> x(d);
  std::vector<double> z(d);
  for (std::int64_t r = 0; r < n; ++r) {
    for (double& one : z) one = draw_normal(rng);
    for (std::size_t i = 0; i < d; ++i) {
      x[i] = theta.mean[i];
      for (std::size_t k = 0; k < d; ++k) x[i] += theta.root[i * d + k] * z[k];
    }
    add(x);
  }
}

std::unique_ptr<const SimulatedRecords> VectorGatherer::with_truth(std::vector<double> theta) && {
  return std::make_unique<SimulatedVectors>(std::move(theta), std::move(levels_), std::move(sums_), outside_);
}

}  // namespace postern::model
