#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/log_linear.hpp"

namespace postern::cgm17 {

/// Private stochastic gradient descent (Abadi et al. 2016) on the mean log-likelihood of a log-linear law.
/// The gradient of a record is mu(theta) - T(x), of which T alone is data; its L2 norm is bounded by the
/// model, so that nothing is clipped.
struct Descent {
  std::size_t batch = 1024;  ///< expected
  int steps = 1000;
  double step = 0.3;
};

/// Records as the descent sees them.
struct Contributors {
  std::size_t n = 0;
  double norm = 1;                                                     ///< the largest L2 norm of T
  std::function<void(std::size_t record, std::span<double> sum)> add;  ///< adds T of a record
};

/// The mean of theta over the second half of the steps. `noise`: in units of the norm.
[[nodiscard]] std::vector<double> descend(const graph::LogLinear& model, const Contributors& records,
                                          const Descent& descent, double noise, Rng& rng);

}  // namespace postern::cgm17
