#include "network/width.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"
#include "postern/model/statistic/table.hpp"

#include "network/make_problem.hpp"
#include "posterior/width.hpp"

namespace postern::infer {
namespace {

double beta_width(double a, double b) { return beta_quantile(a, b, 0.95) - beta_quantile(a, b, 0.05); }

/// Widths of all cells of Dirichlet rows, one a variable. Alike rows are looked at once.
void add_widths(std::vector<double>& out, const std::vector<double>& alpha, std::size_t levels) {
  std::map<std::pair<double, double>, double> known;
  for (std::size_t row = 0; row < alpha.size(); row += levels) {
    double total = 0;
    for (std::size_t l = 0; l < levels; ++l) total += alpha[row + l];
    for (std::size_t l = 0; l < levels; ++l) {
      const double a = alpha[row + l];
      const auto [found, fresh] = known.try_emplace({a, total}, 0);
      if (fresh && levels > 1) found->second = beta_width(a, total - a);
      out.push_back(found->second);
    }
  }
}

/// How many of n records are expected in each cell of each family's table, parents taken for independent.
std::vector<std::vector<double>> expected_counts(const NetworkProblem& problem, const graph::Dag& dag,
                                                 double n) {
  const std::vector<double> means = prior_means(problem);
  std::vector<std::size_t> offset{0};
  for (const NetworkFamily& family : problem.families) offset.push_back(offset.back() + family.alpha.size());
  std::vector<std::vector<double>> margins(problem.sizes.size());
  std::vector<std::vector<double>> out(problem.sizes.size());
  for (const std::uint32_t v : dag.order()) {
    const std::size_t levels = problem.sizes[v];
    margins[v].assign(levels, 0);
    out[v].resize(problem.families[v].alpha.size());
    for (std::size_t row = 0; row < out[v].size() / levels; ++row) {
      double weight = 1;
      std::size_t rest = row;
      const graph::Variables& parents = dag.parents(v);
      for (std::size_t p = parents.size(); p-- > 0;) {
        weight *= margins[parents[p]][rest % problem.sizes[parents[p]]];
        rest /= problem.sizes[parents[p]];
      }
      for (std::size_t l = 0; l < levels; ++l) {
        const double share = weight * means[offset[v] + row * levels + l];
        margins[v][l] += share;
        out[v][row * levels + l] = n * share;
      }
    }
  }
  return out;
}

}  // namespace

NetworkWidths::NetworkWidths(model::Study study)
    : study_(std::move(study)), problem_(start_network(study_, {})) {
  // Chains on tables take some seconds for so many cells; three studies at least are simulated.
  constexpr std::size_t kMostCells = 300;
  std::size_t cells = 0;
  for (const NetworkFamily& family : problem_.families) cells += family.alpha.size();
  if (cells > kMostCells && !StarPosterior::fits(problem_))
    throw Error(ErrorCode::engine_limit, {"the widths of so large a network are not simulated"});
}

std::vector<PriorWidth> NetworkWidths::rows() const {
  std::vector<double> widths;
  for (std::size_t v = 0; v < problem_.families.size(); ++v)
    add_widths(widths, problem_.families[v].alpha, problem_.sizes[v]);
  std::vector<PriorWidth> rows;
  for (model::Parameter& one : study_.model.kind().parameters(study_))
    rows.push_back({std::move(one.label), widths[rows.size()]});
  add_total(rows, study_);
  return rows;
}

StudyWidths NetworkWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  std::vector<std::vector<double>> alpha;
  for (const NetworkFamily& family : problem_.families) alpha.push_back(family.alpha);
  made.records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    for (std::size_t v = 0; v < alpha.size(); ++v) {
      std::size_t cell = 0;
      for (const std::uint32_t u : problem_.families[v].variables)
        cell = cell * problem_.sizes[u] + levels[u];
      alpha[v][cell] += static_cast<double>(count);
    }
  });
  StudyWidths out;
  for (std::size_t v = 0; v < alpha.size(); ++v) add_widths(out.without_noise, alpha[v], problem_.sizes[v]);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double network_bytes(const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n) {
  NetworkProblem problem = start_network(study, {});
  const std::int64_t records = n.value_or(study.privacy.n_at_most.value_or(0) / 2);
  problem.total = KnownTotal{records};
  if (study.privacy.n_at_most) problem.total = LatentTotal{*study.privacy.n_at_most, 0};
  if (!StarPosterior::fits(problem))
    return forecast_network_tables(problem, static_cast<std::size_t>(InferOptions{}.chains)).bytes;
  const auto& net = study.model.get<model::BayesNet>();
  const auto counts = expected_counts(problem, model::dag_of(net), static_cast<double>(records));
  for (const model::Block& block : plan.measurement.blocks) {
    const auto columns = block.statistic.kind().columns(block.statistic);
    for (std::size_t v = 0; v < net.nodes.size(); ++v) {
      if (model::family_columns(net.nodes[v]) != columns) continue;
      const auto* one = block.statistic.as<model::LevelCount>();
      for (std::size_t cell = 0; cell < counts[v].size(); ++cell) {
        if (one == nullptr || one->level == cell)
          problem.families[v].noisy_values[cell].push_back(
              {std::round(counts[v][cell]), release::noise_law(block.noise)});
      }
    }
  }
  return StarPosterior::forecast(problem).bytes;
}

}  // namespace postern::infer
