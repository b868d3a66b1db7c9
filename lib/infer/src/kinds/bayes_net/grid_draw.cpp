#include "grid_draw.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/model/study.hpp"

#include "posterior/draw_summary.hpp"

namespace postern::infer {
namespace {

using model::GridSplit;

void refuse_unsuitable(const std::vector<release::RecordSet>& sets, const InferOptions& options) {
  if (sets.size() > 1 || sets.front().size() > 1) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"a release by posterior-draw or map is not combined with others; infer from it alone, or from "
         "the releases of tables without it"});
  }
  if (options.engine != EngineChoice::automatic) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this release holds chosen probabilities and no noisy counts that an engine could work on; "
                 "leave the engine out for the choice itself, or release tables (laplace, gaussian)"});
  }
  if (options.prior || options.public_rows) {
    throw Error(
        ErrorCode::bad_option,
        {"the prior is part of how probabilities were chosen: neither another prior nor public rows can "
         "come after it; release tables (laplace, gaussian) to have that choice later"});
  }
}

/// Multiplies the probabilities of the cells on both sides of every split into `theta`.
void apply(const GridSplit& split, std::size_t chosen, std::size_t levels, std::vector<double>& theta) {
  const double below = model::grid_point(split.omega, split.points, chosen).get_d();
  const double above = model::grid_point(split.omega, split.points, split.points - 1 - chosen).get_d();
  for (std::uint32_t l = split.first; l < split.last; ++l)
    theta.at(split.row * levels + l) *= l < split.middle ? below : above;
}

Warning one_draw_warning(bool map) {
  return {"no-interval",
          map ? "this is one private point near the posterior mode: it comes without an interval, "
                "and how far it is from the truth cannot be told from it"
              : "this is one private draw on a grid: it comes without an interval, and how far it "
                "is from the truth cannot be told from it"};
}

}  // namespace

std::vector<double> chosen_tables(const release::Release& release) {
  const auto& net = release.study.model.get<model::BayesNet>();
  std::map<std::vector<std::string>, std::vector<double>> tables;
  for (const model::BayesNode& node : net.nodes)
    tables[model::family_columns(node)].assign(node.alpha.size(), 1);
  for (const release::MeasuredBlock& block : release.blocks) {
    const auto* split = block.block.statistic.as<GridSplit>();
    const auto table = split == nullptr ? tables.end() : tables.find(split->columns);
    if (table == tables.end())
      throw Error(ErrorCode::release_inconsistent,
                  {"a release of choices holds one that is no split of this network's tables"});
    apply(*split, static_cast<std::size_t>(block.values.at(0)),
          release.study.schema.at(split->columns.back()).levels(), table->second);
  }
  std::vector<double> out;
  for (const model::BayesNode& node : net.nodes) {
    const std::vector<double>& table = tables[model::family_columns(node)];
    out.insert(out.end(), table.begin(), table.end());
  }
  return out;
}

bool holds_choices(const std::vector<release::RecordSet>& sets) {
  for (const release::RecordSet& set : sets) {
    for (const release::Release* release : set) {
      const auto& blocks = release->blocks;
      if (std::any_of(blocks.begin(), blocks.end(), [](const release::MeasuredBlock& block) {
            return block.block.statistic.as<GridSplit>() != nullptr;
          }))
        return true;
    }
  }
  return false;
}

Posterior infer_grid_draw(const std::vector<release::RecordSet>& sets, const InferOptions& options) {
  refuse_unsuitable(sets, options);
  const release::Release& release = *sets.front().front();
  const bool map = release.request.mechanism == model::Mechanism::map;
  Posterior out;
  for (model::Parameter& one : release.study.model.kind().parameters(release.study)) {
    out.names.push_back(std::move(one.name));
    out.labels.push_back(printable(one.label));
  }
  out.chains = 1;
  out.iterations = 1;
  out.draws = {chosen_tables(release)};
  out.engine = map ? "map" : "posterior-draw";
  out.reason =
      map ? "the private mode that was released, as it is" : "the one draw that was released, as it is";
  out.warnings.push_back(one_draw_warning(map));
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

}  // namespace postern::infer
