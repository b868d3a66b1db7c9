#include "naive.hpp"

#include <algorithm>
#include <limits>

namespace postern::infer {
namespace {

/// Several sights of one count: their average weighted by precision.
double combine(const std::vector<Sight>& sights) {
  double sum = 0;
  double precision = 0;
  for (const Sight& sight : sights) {
    const double p = 1 / std::max(release::variance(sight.law), std::numeric_limits<double>::min());
    sum += p * sight.y;
    precision += p;
  }
  return sum / precision;
}

}  // namespace

std::vector<double> plug_in(std::vector<double> alpha, const CountProblem& problem) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const double most = known != nullptr ? static_cast<double>(known->n)
                                       : static_cast<double>(std::get<LatentTotal>(problem.total).at_most);
  double seen = 0;
  for (std::size_t cell = 0; cell < alpha.size(); ++cell) {
    if (problem.sights[cell].empty()) continue;
    const double count = std::clamp(combine(problem.sights[cell]), 0.0, most);
    alpha[cell] += count;
    seen += count;
  }
  // With n public a binary table is measured in one cell; the other is what is left.
  for (std::size_t cell = 0; known != nullptr && cell < alpha.size(); ++cell) {
    if (problem.sights[cell].empty()) alpha[cell] += std::max(0.0, most - seen);
  }
  return alpha;
}

}  // namespace postern::infer
