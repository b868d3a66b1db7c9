#include "grid_draw.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
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
        {"a draw or a mode that is taken as it is is not combined with other releases; infer from it alone, "
         "or from the releases of tables without it"});
  }
  if (options.prior || options.public_rows) {
    throw Error(
        ErrorCode::bad_option,
        {"a draw or a mode that is taken as it is has its prior in it: neither another prior nor public rows "
         "can come after it; release tables (laplace, gaussian) to have that choice later"});
  }
}

/// Multiplies the probabilities of the cells on both sides of every split into `theta`.
void apply(const GridSplit& split, std::size_t chosen, std::size_t levels, std::vector<double>& theta) {
  const double below = model::grid_point(split.omega, split.points, chosen).get_d();
  const double above = model::grid_point(split.omega, split.points, split.points - 1 - chosen).get_d();
  for (std::uint32_t l = split.first; l < split.last; ++l)
    theta.at(split.row * levels + l) *= l < split.middle ? below : above;
}

/// Draws on a grid about one half, tempered perhaps: their spread is not that of what the truth may be.
SummaryRow without_interval(SummaryRow row) {
  row.sd = row.q05 = row.q95 = std::numeric_limits<double>::quiet_NaN();
  return row;
}

Warning one_draw_warning(bool map) {
  return {"no-interval",
          map ? "this is one private point near the posterior mode: it comes without an interval, "
                "and how far it is from the truth cannot be told from it"
              : "this is one private draw on a grid: it comes without an interval, and how far it "
                "is from the truth cannot be told from it"};
}

}  // namespace

std::vector<std::vector<double>> chosen_tables(const release::Release& release) {
  const auto& net = release.study.model.get<model::BayesNet>();
  using Tables = std::map<std::vector<std::string>, std::vector<double>>;
  Tables ones;
  for (const model::BayesNode& node : net.nodes)
    ones[model::family_columns(node)].assign(node.alpha.size(), 1);
  std::vector<Tables> draws;
  std::map<std::tuple<std::vector<std::string>, std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t>
      seen;
  for (const release::MeasuredBlock& block : release.blocks) {
    const auto* split = block.block.statistic.as<GridSplit>();
    if (split == nullptr || !ones.contains(split->columns))
      throw Error(ErrorCode::release_inconsistent,
                  {"a release of choices holds one that is no split of this network's tables"});
    const std::size_t draw = seen[{split->columns, split->row, split->first, split->last}]++;
    if (draw == draws.size()) draws.push_back(ones);
    apply(*split, static_cast<std::size_t>(block.values.at(0)),
          release.study.schema.at(split->columns.back()).levels(), draws[draw][split->columns]);
  }
  std::vector<std::vector<double>> out;
  for (Tables& tables : draws) {
    std::vector<double>& all = out.emplace_back();
    for (const model::BayesNode& node : net.nodes) {
      const std::vector<double>& table = tables[model::family_columns(node)];
      all.insert(all.end(), table.begin(), table.end());
    }
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
  const std::vector<std::vector<double>> chosen = chosen_tables(release);
  out.iterations = chosen.size();
  std::vector<double>& draws = out.draws.emplace_back();
  for (std::size_t q = 0; q < out.names.size(); ++q) {
    for (const std::vector<double>& draw : chosen) draws.push_back(draw[q]);
  }
  out.engine = map ? "map" : "posterior-draw";
  out.reason =
      map ? "the private mode that was released, as it is" : "the one draw that was released, as it is";
  out.warnings.push_back(one_draw_warning(map));
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(without_interval(summarise_draws(out, q, DrawKind::independent)));
  return out;
}

}  // namespace postern::infer
