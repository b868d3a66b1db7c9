#include "postern/assess/distances.hpp"

#include <algorithm>
#include <vector>

namespace postern::assess {

double ks_uniform(std::span<const double> sample) {
  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  double most = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto rank = static_cast<double>(i);
    most = std::max({most, (rank + 1) / n - sorted[i], sorted[i] - rank / n});
  }
  return most;
}

}  // namespace postern::assess
