#include "network/choices.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

using model::GridSplit;

constexpr std::size_t kMostSplits = 32;  ///< whose choices are weighed; of one split all draws are one factor

/// The law of a choice; its scores with no records are what the prior says.
std::shared_ptr<const GridLaw> make_law(const model::Block& block, const model::Schema& schema) {
  const auto& split = block.statistic.get<GridSplit>();
  const double scale = block.noise.parameter.get_d();
  const std::vector<std::int64_t> none(schema.domain(split.columns).cells(), 0);
  std::vector<double> prior;
  for (const Int128 score : block.statistic.kind().from_counts(block.statistic, schema, none))
    prior.push_back(scale * static_cast<double>(score));
  std::vector<double> logs;
  for (const std::int64_t log : model::grid_logs(split.omega, split.points)->logs)
    logs.push_back(scale * static_cast<double>(log));
  return std::make_shared<GridLaw>(std::move(logs), std::move(prior));
}

}  // namespace

void add_choices(NetworkProblem& problem, const release::Release& release, const model::Study& study) {
  using Key = std::tuple<Rational, std::uint32_t, Rational, Rational, Rational>;
  std::map<Key, std::shared_ptr<const GridLaw>> laws;
  std::map<std::vector<std::string>, std::uint32_t> nodes;
  const auto& net = study.model.get<model::BayesNet>();
  for (std::uint32_t v = 0; v < net.nodes.size(); ++v) nodes[model::family_columns(net.nodes[v])] = v;
  for (const release::MeasuredBlock& measured : release.blocks) {
    const auto* split = measured.block.statistic.as<GridSplit>();
    if (split == nullptr) continue;
    const auto node = nodes.find(split->columns);
    if (node == nodes.end())
      throw Error(ErrorCode::release_inconsistent,
                  {"a release of choices holds one that is no split of this network's tables"});
    std::shared_ptr<const GridLaw>& law = laws[{split->omega, split->points, split->prior_below,
                                                split->prior_above, measured.block.noise.parameter}];
    if (law == nullptr) law = make_law(measured.block, release.study.schema);
    problem.choices.push_back({node->second, split->row, split->first, split->middle, split->last, law,
                               static_cast<std::size_t>(measured.values.at(0))});
  }
}

bool few_enough_choices(const NetworkProblem& problem) {
  std::set<std::tuple<std::uint32_t, std::size_t, std::uint32_t, const GridLaw*>> splits;
  for (const NetworkChoice& one : problem.choices)
    splits.emplace(one.variable, one.row, one.middle, one.law.get());
  return splits.size() <= kMostSplits;
}

}  // namespace postern::infer
