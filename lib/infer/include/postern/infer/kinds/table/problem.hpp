#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// theta ~ Dirichlet(alpha); s ~ Multinomial(n, theta); each cell seen through independent noise, any number
/// of times.
struct CountProblem {
  std::vector<double> alpha;
  std::vector<std::vector<NoisyValue>> noisy_values;  ///< per cell; a cell may have none
  std::variant<KnownTotal, LatentTotal> total;
  std::int64_t multiple = 1;  ///< a latent total is a multiple of this: records of so many trials each
};

}  // namespace postern::infer
