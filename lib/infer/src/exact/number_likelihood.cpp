#include "exact/number_likelihood.hpp"

#include <cmath>

#include "postern/core/special.hpp"

#include "exact/number_lattice.hpp"
#include "exact/number_sum.hpp"

namespace postern::infer {
namespace {

constexpr double kMostListed = 4096;

}  // namespace

double SumLikelihood::log_at(const model::Theta& theta, std::int64_t n) const {
  if (n == 0) return sum_noise(problem_, record_.lattice(), 0).log_at(0);
  RecordNodes nodes;
  if (!record_.nodes(theta, nodes)) return kMinusInfinity;
  double tilt = 0;
  return log_of(nodes, n, tilt);
}

double SumLikelihood::log_of(const RecordNodes& nodes, std::int64_t n, double& tilt) const {
  const SumNoise noise = sum_noise(problem_, record_.lattice(), n);
  if (n == 0) return noise.log_at(0);
  const auto records = static_cast<double>(n);
  TiltedRecord tilted;
  find_tilt(nodes, records, noise, tilt, tilted);
  tilt = tilted.lambda;
  if (n == 1 || multisets(static_cast<double>(nodes.at.size()), records) <= kMostListed)
    return log_mean_listed(nodes, tilted, n, noise);
  const SumFrame frame(nodes, tilted, records, records);
  if (!frame.usable()) return log_mean_lattice(nodes, tilted, n, noise);
  return frame.log_mean(records, noise).log_mean;
}

}  // namespace postern::infer
