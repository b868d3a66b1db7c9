#include "candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/infer/markov/estimate.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/release/noise_law.hpp"
#include "postern/release/rounds.hpp"

#include "problem.hpp"

namespace postern::infer {
namespace {

using model::MarkovNet;
using model::PairCandidate;

/// Tables of any two columns under the law of a fit that has a table of each column.
class PairTables {
 public:
  explicit PairTables(const MarkovFit& fit)
      : held_(fit.model), total_(fit.total), work_(model_.workspace()), column_(model_.sizes().size()) {
    model_.evaluate(fit.theta, work_);
    for (std::size_t c = 0; c < model_.cliques().size(); ++c) {
      if (model_.cliques()[c].size() == 1) column_[model_.cliques()[c][0]] = model_.offset(c);
    }
  }

  /// How the indicators of one column's levels move with those of all others: a row a level.
  void look_at(std::uint32_t column) {
    first_ = column;
    rows_.resize(model_.sizes()[column]);
    std::vector<double> direction(model_.dimension(), 0.0);
    for (std::size_t level = 0; level < rows_.size(); ++level) {
      rows_[level].resize(model_.dimension());
      direction[column_[column] + level] = 1;
      model_.covariance_times(direction, work_, rows_[level]);
      direction[column_[column] + level] = 0;
    }
  }

  /// Expected records with the column that is looked at, rounded.
  [[nodiscard]] std::vector<std::int64_t> with(std::uint32_t second) const {
    const std::vector<double>& mu = work_.marginals;
    std::vector<std::int64_t> out;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (std::size_t l = 0; l < model_.sizes()[second]; ++l) {
        const std::size_t cell = column_[second] + l;
        const double p = rows_[k][cell] + mu[column_[first_] + k] * mu[cell];
        const double records = std::clamp(total_ * p, 0.0, static_cast<double>(model::kMostExpected));
        out.push_back(std::llround(records));
      }
    }
    return out;
  }

 private:
  std::shared_ptr<const graph::LogLinear> held_;
  const graph::LogLinear& model_ = *held_;
  double total_;
  graph::LogLinear::Workspace work_;
  std::vector<std::size_t> column_;  ///< where the table of each column begins
  std::uint32_t first_ = 0;
  std::vector<std::vector<double>> rows_;
};

/// Which pairs may be added to the network.
class Growth {
 public:
  Growth(const MarkovNet& net, std::size_t most_cells)
      : net_(net), most_(static_cast<double>(most_cells)), graph_(model::graph_of(net)) {
    for (const graph::Variables& clique :
         graph::eliminate(graph_, net.levels, graph::Greedy::min_fill).cliques)
      filled_.connect_all(clique);
  }
  [[nodiscard]] bool allows(std::uint32_t a, std::uint32_t b) {
    if (graph_.connected(a, b)) return false;
    if (filled_.connected(a, b)) return true;  // within a clique of the junction tree: free
    net_.cliques.push_back({a, b});
    const bool fits = model::quick_cells(net_) <= most_;
    net_.cliques.pop_back();
    return fits;
  }

 private:
  MarkovNet net_;
  double most_;
  graph::UndirectedGraph graph_;
  graph::UndirectedGraph filled_{graph_.size()};
};

double mean_distance(const model::Noise& noise) {
  const release::NoiseLaw law = release::noise_law(noise);
  const double rate = release::shape(law).rate;
  return rate > 0 ? 1 / rate : std::sqrt(2 / std::numbers::pi * release::variance(law));
}

}  // namespace

std::vector<Int128> candidate_pairs(const release::Release& so_far, const Conversation& conversation) {
  const auto state =
      model::awaited_candidates(so_far.study, so_far.cost.exact(), release::published_rounds(so_far));
  if (!state) return {};
  const MarkovNet& net = state->measured;
  MarkovOptions how;
  how.names = net.columns;
  how.prior_variance = 1;  // estimating it takes most of the time of a fit, and these are many
  how.tolerance = 1;
  PairTables tables(
      estimate_markov(markov_problem(net, {&so_far}), MarkovEstimator::na_map, how, conversation));
  // A noise-aware fit takes off about half of what the noise adds.
  const double lost = 0.5 * mean_distance(state->noise);
  Growth growth(net, net.most_cells);
  std::vector<PairCandidate> out;
  for (std::uint32_t a = 0; a + 1 < net.columns.size(); ++a) {
    conversation.check();
    tables.look_at(a);
    for (std::uint32_t b = a + 1; b < net.columns.size(); ++b) {
      if (!growth.allows(a, b)) continue;
      PairCandidate one{a, b, 0, tables.with(b)};
      one.handicap = std::llround(std::min(lost * static_cast<double>(one.expected.size()),
                                           static_cast<double>(model::kMostExpected)));
      out.push_back(std::move(one));
    }
  }
  return model::write_candidates(out);
}

}  // namespace postern::infer
