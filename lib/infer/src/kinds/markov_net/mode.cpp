#include "mode.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/graph/conditional_tables.hpp"
#include "postern/infer/markov/estimate.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/schema.hpp"
#include "postern/model/study.hpp"

#include "posterior/draw_summary.hpp"
#include "posterior/words.hpp"
#include "problem.hpp"

namespace postern::infer {
namespace {

using model::MarkovNet;

/// P(column | parents) of every family, row by row, under the law of a fit.
std::vector<double> conditional_tables(const MarkovNet& net, const MarkovFit& fit) {
  const MarkovReport report = markov_report(net);
  const graph::ConditionalTables families(report.tree, fit.model->cliques(), report.families);
  graph::ConditionalTables::Workspace work = families.workspace();
  std::vector<double> out(families.cells());
  families.read(fit.theta, work, out);
  return out;
}

/// The three cliques of the junction tree that have most cells: "age x work (9 cells)".
std::string largest_cliques(const MarkovNet& net, const graph::JunctionTree& tree) {
  std::vector<graph::Variables> cliques;
  for (std::size_t c = 0; c < tree.size(); ++c) cliques.push_back(tree.clique(c));
  const auto cells = [&](const graph::Variables& clique) { return graph::cells_of(clique, net.levels); };
  std::ranges::stable_sort(cliques, std::greater(), cells);
  cliques.resize(std::min<std::size_t>(cliques.size(), 3));
  std::string out;
  for (const graph::Variables& clique : cliques) {
    std::string names;
    for (const std::string& name : model::clique_columns(net, clique))
      names += (names.empty() ? "" : " x ") + name;
    out += (out.empty() ? "" : "; ") + names + " (" + whole_text(cells(clique)) + " cells)";
  }
  return out;
}

}  // namespace

/// Every cell of the junction tree is a parameter, with a name and a row of the summary.
void check_mode_memory(const MarkovNet& net, double most_bytes) {
  const graph::JunctionTree tree = model::junction_tree(net);
  const double bytes = model::kModeBytes * tree.cells();
  if (bytes <= most_bytes) return;
  const auto megabytes = [](double size) {
    return public_number(static_cast<long long>(std::ceil(size / 1e6)));
  };
  throw Error(ErrorCode::engine_limit,
              {"the mode of this network has ", public_number(static_cast<long long>(tree.cells())),
               " parameters, which need ", megabytes(bytes), " MB, and may use ", megabytes(most_bytes),
               " MB; the largest cliques of its junction tree are ", quote(largest_cliques(net, tree), 600),
               "; have fewer cells chosen (`cells` of an adaptive selection), or cut these columns coarser"});
}

namespace {

/// How near the mode the search came, for the line that names the engine.
std::string how_it_ended(const MarkovFit& fit) {
  switch (fit.stop) {
    case MarkovStop::iterations:
      return "after " + std::to_string(fit.iterations) + " steps";
    case MarkovStop::precision:
      return "as near as double precision comes";
    case MarkovStop::closed_form:
      return "in closed form";
    default:
      return std::string(markov_stop_name(fit.stop));
  }
}

/// Nothing where the search found the mode.
std::optional<Warning> unfinished(const MarkovFit& fit, MarkovEstimator estimator) {
  if (estimator != MarkovEstimator::na_map || fit.stop != MarkovStop::iterations) return std::nullopt;
  return Warning{"mode-not-reached",
                 "the search for the mode ended after " + std::to_string(fit.iterations) +
                     " steps, with a log density that may still rise by about " +
                     short_text(fit.certificate.value_or(0)) +
                     ": what is shown is a fit to the tables, and not yet the best one. Declare a narrower "
                     "prior, prior = { normal = \"1\" }, or cut columns coarser; where there are few "
                     "potentials, --engine potentials draws the posterior itself"};
}

MarkovEstimator estimator_named(const std::string& name) {
  if (name.empty()) return MarkovEstimator::na_map;
  if (const auto found = find_markov_estimator(name)) return *found;
  std::vector<std::string> known;
  std::string all;
  for (const MarkovEstimator one : kMarkovEstimators) {
    known.emplace_back(markov_estimator_name(one));
    all += (all.empty() ? "" : ", ") + known.back();
  }
  const auto nearest = model::nearest_name(name, known);
  throw Error(ErrorCode::bad_option,
              {"there is no estimator '", from_option(name), "'; take one of ", quote(all, 110),
               from_option(nearest ? "; did you mean " + *nearest + "?" : "")});
}

/// What the point is, as a sentence goes on after "this is one point, ".
std::string point_of(MarkovEstimator estimator) {
  switch (estimator) {
    case MarkovEstimator::na_map:
      return "the mode given the noisy tables";
    case MarkovEstimator::naive:
      return "the most likely network if the tables had no noise";
    case MarkovEstimator::em:
    case MarkovEstimator::nlbp:
      return "the collective graphical model's";
    case MarkovEstimator::l2:
    case MarkovEstimator::l1:
    case MarkovEstimator::pgm:
      return "the network whose margins are nearest to the tables";
    case MarkovEstimator::uniform:
    case MarkovEstimator::random:
      break;
  }
  return "a floor that has learnt nothing from the tables";
}

}  // namespace

void refuse_several_datasets(const std::vector<release::RecordSet>& sets) {
  if (sets.size() == 1) return;
  throw Error(ErrorCode::unsupported,
              {"releases of several datasets cannot be combined for a network yet; infer from each dataset "
               "alone"});
}

Posterior infer_mode(const std::vector<release::RecordSet>& sets, const std::string& why,
                     const InferOptions& options, const Conversation& conversation) {
  refuse_several_datasets(sets);
  if (options.public_rows)
    throw Error(ErrorCode::bad_option, {"the mode of a Markov network takes no public rows"});
  const model::Study& study = sets.front().front()->study;
  const auto& net = study.model.get<MarkovNet>();
  check_mode_memory(net, static_cast<double>(options.memory_limit));
  const MarkovEstimator estimator = estimator_named(options.estimator);
  if (options.prior && estimator != MarkovEstimator::na_map)
    throw Error(ErrorCode::bad_option, {"only the estimator na-map has a prior to be replaced or varied"});
  MarkovOptions how;
  how.seed = options.seed;
  how.names = net.columns;
  how.prior_variance = declared_variance(net, options);
  how.most_bytes = static_cast<double>(options.memory_limit);
  const MarkovFit fit = estimate_markov(markov_problem(net, sets.front()), estimator, how, conversation);
  Posterior out;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    out.names.push_back(std::move(one.name));
    out.labels.push_back(printable(one.label));
  }
  out.chains = 1;
  out.iterations = 1;
  out.draws = {conditional_tables(net, fit)};
  out.engine = options.estimator.empty() ? "map" : options.estimator;
  out.reason = why + "; " + point_of(estimator) + ", " + how_it_ended(fit);
  if (auto warning = unfinished(fit, estimator)) out.warnings.push_back(std::move(*warning));
  out.warnings.push_back({"no-interval", "this is one point, " + point_of(estimator) +
                                             ": it comes without an interval, and its sd and quantiles say "
                                             "nothing"});
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

}  // namespace postern::infer
