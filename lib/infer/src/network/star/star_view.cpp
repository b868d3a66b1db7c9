#include "star_view.hpp"

#include <algorithm>
#include <numeric>

namespace postern::infer {

std::optional<StarView> StarView::of(const NetworkProblem& problem) {
  StarView view;
  view.problem = &problem;
  std::size_t roots = 0;
  for (std::uint32_t v = 0; v < problem.families.size(); ++v) {
    const std::vector<std::uint32_t>& variables = problem.families[v].variables;
    if (variables.size() > 2) return std::nullopt;
    if (variables.size() == 1) {
      view.root = v;
      ++roots;
    } else {
      view.leaves.push_back(v);
    }
  }
  if (roots != 1) return std::nullopt;
  const bool all_children = std::all_of(view.leaves.begin(), view.leaves.end(), [&](std::uint32_t v) {
    return problem.families[v].variables.front() == view.root;
  });
  if (!all_children) return std::nullopt;
  return view;
}

CptRow StarView::row(std::size_t leaf, std::size_t class_index) const {
  const std::uint32_t variable = leaves[leaf];
  const std::size_t levels = problem->sizes[variable];
  const NetworkFamily& family = problem->families[variable];
  return {std::span(family.alpha).subspan(class_index * levels, levels),
          std::span(family.noisy_values).subspan(class_index * levels, levels)};
}

std::int64_t StarView::most() const {
  if (const auto* known = std::get_if<KnownTotal>(&problem->total)) return known->n;
  return std::get<LatentTotal>(problem->total).at_most;
}

bool is_seen(const CptRow& row) {
  return std::any_of(row.noisy_values.begin(), row.noisy_values.end(),
                     [](const std::vector<NoisyValue>& values) { return !values.empty(); });
}

double sum_of_alpha(const CptRow& row) { return std::accumulate(row.alpha.begin(), row.alpha.end(), 0.0); }

}  // namespace postern::infer
