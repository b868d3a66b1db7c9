#include "plug_in_tables.hpp"

#include "postern/infer/network/plug_in.hpp"

#include "grid_draw.hpp"
#include "network/make_problem.hpp"

namespace postern::infer {

std::vector<double> plug_in_tables(const release::Release& release) {
  const release::RecordSet alone{&release};
  if (holds_choices({alone})) {
    const std::vector<std::vector<double>> draws = chosen_tables(release);
    std::vector<double> mean(draws.front().size(), 0);
    for (const std::vector<double>& draw : draws) {
      for (std::size_t q = 0; q < mean.size(); ++q) mean[q] += draw[q] / static_cast<double>(draws.size());
    }
    return mean;
  }
  NetworkProblem problem = make_network_problem(release.study, alone, {});
  std::vector<std::vector<double>> weights = plug_in(problem);
  for (std::size_t node = 0; node < weights.size(); ++node) problem.families[node].alpha = weights[node];
  return prior_means(problem);
}

}  // namespace postern::infer
