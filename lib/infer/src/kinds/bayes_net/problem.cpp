#include "problem.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/network/fourier.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "choices.hpp"
#include "grid_draw.hpp"
#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

using model::BayesNet;

void add_public_rows(NetworkProblem& problem, const InferOptions& options) {
  if (!options.public_rows) return;
  std::size_t cells = 0;
  for (const NetworkFamily& family : problem.families) cells += family.alpha.size();
  const auto* rows = std::get_if<PublicCounts>(&*options.public_rows);
  if (rows == nullptr || rows->counts.size() != cells)
    throw Error(ErrorCode::bad_option, {"public rows of a network need one count for each of its cells"});
  auto count = rows->counts.begin();
  for (NetworkFamily& family : problem.families) {
    for (double& alpha : family.alpha) alpha += static_cast<double>(*count++);
  }
}

/// The family whose table the columns are, in their order.
NetworkFamily& family_of(const std::vector<std::string>& columns, const BayesNet& net,
                         NetworkProblem& problem) {
  for (std::size_t node = 0; node < net.nodes.size(); ++node) {
    if (model::family_columns(net.nodes[node]) == columns) return problem.families[node];
  }
  throw Error(ErrorCode::release_inconsistent, {"a release of a network holds a table that is none of its "
                                                "nodes'"});
}

/// The nodes by their columns.
std::map<std::string, std::uint32_t> numbers_of(const BayesNet& net) {
  std::map<std::string, std::uint32_t> out;
  for (std::uint32_t node = 0; node < net.nodes.size(); ++node) out[net.nodes[node].column] = node;
  return out;
}

void add_block(const release::MeasuredBlock& measured, const model::Study& study, NetworkProblem& problem) {
  const auto& net = study.model.get<BayesNet>();
  if (add_coefficients(problem, measured, study.schema, numbers_of(net))) return;
  if (measured.block.statistic.as<model::GridSplit>() != nullptr) return;  // add_choices
  const release::NoiseLaw law = release::noise_law(measured.block.noise);
  const model::Statistic& statistic = measured.block.statistic;
  const auto* one = statistic.as<model::LevelCount>();
  if (one == nullptr && statistic.as<model::Table>() == nullptr) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this version infers networks from their tables, and this release holds something else"});
  }
  NetworkFamily& family = family_of(statistic.kind().columns(statistic), net, problem);
  for (std::size_t i = 0; i < measured.values.size(); ++i) {
    family.noisy_values[one != nullptr ? one->level : i].push_back(
        {static_cast<double>(measured.values[i]), law});
  }
}

}  // namespace

NetworkProblem start_network(const model::Study& study, const InferOptions& options) {
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  const auto& net = model.get<BayesNet>();
  const graph::Dag dag = model::dag_of(net);
  NetworkProblem problem;
  for (std::uint32_t node = 0; node < net.nodes.size(); ++node) {
    problem.sizes.push_back(study.schema.at(net.nodes[node].column).levels());
    NetworkFamily& family = problem.families.emplace_back();
    family.variables = dag.family(node);
    for (const Rational& alpha : net.nodes[node].alpha) family.alpha.push_back(alpha.get_d());
    if (std::any_of(family.alpha.begin(), family.alpha.end(), [](double alpha) { return !(alpha > 0); }))
      throw Error(ErrorCode::bad_prior, {"every parameter of the prior must be positive"});
    family.noisy_values.resize(family.alpha.size());
  }
  add_public_rows(problem, options);
  return problem;
}

NetworkProblem make_network_problem(const release::RecordSet& releases, const InferOptions& options) {
  const model::Study& study = releases.front()->study;
  NetworkProblem problem = start_network(study, options);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) add_block(block, study, problem);
  }
  for (const release::Release* release : releases) add_choices(problem, *release);
  problem.total = total_of(releases);
  return problem;
}

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
  NetworkProblem problem = make_network_problem(alone, {});
  std::vector<std::vector<double>> weights = plug_in(problem);
  for (std::size_t node = 0; node < weights.size(); ++node) problem.families[node].alpha = weights[node];
  return prior_means(problem);
}

std::vector<double> prior_means(const NetworkProblem& problem) {
  std::vector<double> out;
  for (std::size_t node = 0; node < problem.families.size(); ++node) {
    const std::vector<double>& alpha = problem.families[node].alpha;
    const std::size_t levels = problem.sizes[node];
    for (std::size_t row = 0; row < alpha.size(); row += levels) {
      double total = 0;
      for (std::size_t l = 0; l < levels; ++l) total += alpha[row + l];
      for (std::size_t l = 0; l < levels; ++l) out.push_back(alpha[row + l] / total);
    }
  }
  return out;
}

}  // namespace postern::infer
