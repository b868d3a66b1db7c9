#include "plug_in_tables.hpp"

#include "postern/infer/network/plug_in.hpp"

#include "grid_draw.hpp"
#include "network/make_problem.hpp"

namespace postern::infer {

std::vector<double> plug_in_tables(const release::Release& release) {
  const release::RecordSet alone{&release};
  if (holds_choices({alone})) return chosen_tables(release);
  NetworkProblem problem = make_network_problem(release.study, alone, {});
  std::vector<std::vector<double>> weights = plug_in(problem);
  for (std::size_t node = 0; node < weights.size(); ++node) problem.families[node].alpha = weights[node];
  return prior_means(problem);
}

}  // namespace postern::infer
