// Decomposable Markov networks through the analyst's door, against the list of all latent data sets, weighed
// by cliques over separators: the list knows no order of the columns and no Bayesian network.

#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/diagnostics.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/junction_tree.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/noise_law.hpp"

#include "markov_studies.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;
using model::MarkovNet;
constexpr double kAlpha = 1e-6;  ///< of all comparisons of one test together

release::Release simulated(const model::Study& study, std::int64_t nano, std::int64_t n,
                           std::uint32_t stream) {
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend{study.privacy.currency, nano});
  Rng rng(20261118, stream, Purpose::test);
  release::Release out = assess::simulate_study(study, plan, n, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, static_cast<char>('a' + stream % 26));
  return out;
}

/// Cells of the table over some variables, for every joint state.
std::vector<std::size_t> cells_over(const graph::Variables& variables, const graph::Domain& joint) {
  std::vector<std::size_t> out;
  for (std::size_t state = 0; state < joint.cells(); ++state) {
    const auto levels = joint.levels_of(state);
    std::size_t cell = 0;
    for (const std::uint32_t v : variables) cell = cell * joint.sizes()[v] + levels[v];
    out.push_back(cell);
  }
  return out;
}

/// Means of all cells of all cliques, and of n.
class Listing {
 public:
  Listing(const model::Study& study, const release::Release& release)
      : net_(study.model.get<MarkovNet>()), joint_(study.schema.domain(net_.columns)), release_(release) {
    for (const graph::Variables& clique : net_.cliques) {
      over_[clique] = cells_over(clique, joint_);
      means_.resize(means_.size() + static_cast<std::size_t>(graph::cells_of(clique, net_.levels)));
    }
    means_.push_back(0);
    const graph::JunctionTree tree(
        graph::eliminate(model::graph_of(net_), net_.levels, graph::Greedy::min_fill), net_.levels);
    for (std::size_t c = 0; c < tree.size(); ++c) {
      power_[tree.clique(c)] += 1;
      if (c > 0) power_[tree.separator(c)] -= 1;
    }
    for (const auto& [variables, power] : power_) over_[variables] = cells_over(variables, joint_);
    counts_.assign(joint_.cells(), 0);
    const std::int64_t least = study.privacy.n_at_most ? 0 : std::get<release::PublicCount>(release.n).value;
    const std::int64_t most =
        study.privacy.n_at_most ? *study.privacy.n_at_most : std::get<release::PublicCount>(release.n).value;
    for (std::int64_t n = least; n <= most; ++n) place(0, n, n);
    for (double& mean : means_) mean /= mass_;
  }
  [[nodiscard]] const std::vector<double>& means() const { return means_; }

 private:
  [[nodiscard]] std::vector<double> table(const graph::Variables& variables) const {
    std::vector<double> out(static_cast<std::size_t>(graph::cells_of(variables, net_.levels)), 0);
    const std::vector<std::size_t>& cells = over_.at(variables);
    for (std::size_t state = 0; state < counts_.size(); ++state)
      out[cells[state]] += static_cast<double>(counts_[state]);
    return out;
  }
  void place(std::size_t state, std::int64_t left, std::int64_t n) {
    if (state + 1 == counts_.size()) {
      counts_[state] = left;
      return weigh(static_cast<double>(n));
    }
    for (counts_[state] = 0; counts_[state] <= left; ++counts_[state])
      place(state + 1, left - counts_[state], n);
  }
  void weigh(double n) {
    const double records = prior_records(net_).get_d();
    double log_weight = log_factorial(n);
    for (const std::int64_t c : counts_) log_weight -= log_factorial(static_cast<double>(c));
    for (const auto& [variables, power] : power_) {
      const std::vector<double> counts = table(variables);
      for (const double c : counts)
        log_weight += power * log_rising(records / static_cast<double>(counts.size()), c);
      log_weight -= power * log_rising(records, n);
    }
    for (std::size_t b = 0; b < release_.blocks.size(); ++b) {
      const release::NoiseLaw law = release::noise_law(release_.blocks[b].block.noise);
      const std::vector<double> counts = table(net_.cliques[b]);
      for (std::size_t i = 0; i < counts.size(); ++i)
        log_weight += release::log_pmf(law, static_cast<double>(release_.blocks[b].values[i]) - counts[i]);
    }
    const double weight = std::exp(log_weight);
    mass_ += weight;
    std::size_t q = 0;
    for (const graph::Variables& clique : net_.cliques) {
      const std::vector<double> counts = table(clique);
      for (const double c : counts)
        means_[q++] += weight * (records / static_cast<double>(counts.size()) + c) / (records + n);
    }
    means_[q] += weight * n;
  }

  const MarkovNet& net_;
  graph::Domain joint_;
  const release::Release& release_;
  std::map<graph::Variables, std::vector<std::size_t>> over_;
  std::map<graph::Variables, int> power_;
  std::vector<std::int64_t> counts_;
  std::vector<double> means_;
  double mass_ = 0;
};

/// The same quantities under every draw of a posterior, by listing all records.
std::vector<std::vector<double>> clique_draws(const model::Study& study, const Posterior& posterior) {
  const auto& net = study.model.get<MarkovNet>();
  const model::BayesNet directed = model::directed(net);
  const graph::Dag dag = dag_of(directed);
  const graph::Domain joint = study.schema.domain(net.columns);
  std::vector<std::vector<std::size_t>> families;
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) families.push_back(cells_over(dag.family(v), joint));
  std::vector<std::vector<std::size_t>> cliques;
  for (const graph::Variables& clique : net.cliques) cliques.push_back(cells_over(clique, joint));
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& chain : posterior.draws) {
    for (std::size_t i = 0; i < posterior.iterations; ++i) {
      std::vector<std::vector<double>> tables;
      for (const auto& clique : net.cliques)
        tables.emplace_back(static_cast<std::size_t>(graph::cells_of(clique, net.levels)), 0.0);
      for (std::size_t state = 0; state < joint.cells(); ++state) {
        double p = 1;
        std::size_t first = 0;
        for (std::size_t v = 0; v < families.size(); ++v) {
          p *= chain[(first + families[v][state]) * posterior.iterations + i];
          first += directed.nodes[v].alpha.size();
        }
        for (std::size_t c = 0; c < cliques.size(); ++c) tables[c][cliques[c][state]] += p;
      }
      std::vector<double>& row = out.emplace_back();
      for (const auto& table : tables) row.insert(row.end(), table.begin(), table.end());
      if (study.privacy.n_at_most)
        row.push_back(chain[(posterior.names.size() - 1) * posterior.iterations + i]);
    }
  }
  return out;
}

struct Case {
  const char* name;
  std::vector<std::uint32_t> levels;
  std::vector<graph::Variables> cliques;
};

class MarkovEnumeration : public testing::TestWithParam<std::tuple<Case, Adjacency, Currency>> {};

TEST_P(MarkovEnumeration, EqualsTheListOfDataSets) {
  const auto& [shape, adjacency, currency] = GetParam();
  model::Study study = model::markov_study(shape.levels, shape.cliques, adjacency, currency);
  if (study.privacy.n_at_most) study.privacy.n_at_most = 4;
  const release::Release release = simulated(study, 3'000'000'000, 3, 3);
  const std::vector<double> exact = Listing(study, release).means();
  InferOptions options;
  options.draws = 700;
  std::vector<EngineChoice> engines{EngineChoice::tables};
  if (infer(std::vector{release}, options, {}).engine == "exact") engines.push_back(EngineChoice::exact);
  for (const EngineChoice engine : engines) {
    options.engine = engine;
    const auto draws = clique_draws(study, infer(std::vector{release}, options, {}));
    const double limit = -normal_quantile(kAlpha / 2 / static_cast<double>(draws[0].size() * 2));
    for (std::size_t q = 0; q < draws[0].size(); ++q) {
      std::vector<double> own;
      for (const auto& draw : draws) own.push_back(draw[q]);
      std::vector<std::span<const double>> chains;
      for (std::size_t c = 0; c < 4; ++c) chains.emplace_back(own.data() + c * options.draws, options.draws);
      double mean = 0;
      double square = 0;
      for (const double x : own) mean += x / static_cast<double>(own.size());
      for (const double x : own) square += (x - mean) * (x - mean) / static_cast<double>(own.size());
      if (square < 1e-18) continue;
      const double error = std::sqrt(square / std::min(bulk_ess(ChainDraws(chains)), 2800.0));
      EXPECT_LT(std::abs(mean - exact[q]), limit * error)
          << shape.name << " " << q << " " << mean << " " << exact[q];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MarkovEnumeration,
    testing::Combine(testing::Values(Case{"pair", {2, 3}, {{0, 1}}},
                                     Case{"chain", {2, 2, 2}, {{0, 1}, {1, 2}}},
                                     Case{"within", {2, 3, 2}, {{0, 1}, {1, 2}, {0}, {1}}},
                                     Case{"apart", {2, 2, 3}, {{0, 1}, {2}}},
                                     Case{"one_level", {2, 1, 3}, {{0, 1}, {1, 2}}},
                                     Case{"long_chain", {2, 2, 2, 2}, {{0, 1}, {1, 2}, {2, 3}}},
                                     Case{"triangles", {2, 2, 2, 2}, {{0, 1, 2}, {1, 2, 3}, {1, 3}}}),
                     testing::Values(Adjacency::replace_one, Adjacency::add_remove),
                     testing::Values(Currency::pure, Currency::zcdp)),
    [](const auto& one) {
      return std::string(std::get<0>(one.param).name) +
             (std::get<1>(one.param) == Adjacency::add_remove ? "_add_remove_" : "_replace_one_") +
             std::string(to_text(std::get<2>(one.param)));
    });

void expect_calibrated(const model::Study& study, std::int64_t nano, std::optional<std::int64_t> n,
                       std::size_t studies) {
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend{study.privacy.currency, nano});
  assess::CalibrateOptions options;
  options.studies = studies;
  options.n = n;
  options.seed = 20261118;
  EXPECT_TRUE(assess::calibrate(study, plan, options, {}).passed());
}

const std::vector<graph::Variables> kTree{{0, 1}, {1, 2}, {1, 3}, {3, 4}};
const std::vector<graph::Variables> kTriangles{{0, 1, 2}, {1, 2, 3}, {3, 4}, {3}, {0, 2}};

TEST(MarkovCalibration, TreeWithPublicN) {
  expect_calibrated(model::markov_study({2, 3, 2, 2, 3}, kTree), 2'000'000'000, 80, 120);
}

TEST(MarkovCalibration, TrianglesWithPrivateN) {
  model::Study study =
      model::markov_study({2, 2, 2, 3, 2}, kTriangles, Adjacency::add_remove, Currency::zcdp, 1);
  study.privacy.n_at_most = 80;
  expect_calibrated(study, 500'000'000, std::nullopt, 120);
}

/// A loop of pairs whose potentials have a normal prior.
model::Study loop_study(Adjacency adjacency = Adjacency::replace_one) {
  model::Study study = model::markov_study({2, 2, 3, 2}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, adjacency);
  auto net = study.model.get<MarkovNet>();
  net.potential_sd = 1;
  study.model = std::move(net);
  return study;
}

TEST(MarkovCalibration, LoopByPotentials) {
  expect_calibrated(loop_study(), 400'000'000, 2000, 40);  // noise of scale 20
}

TEST(MarkovCalibration, LoopByTablesWithPrivateN) {
  model::Study study = loop_study(Adjacency::add_remove);
  study.privacy.n_at_most = 100;
  auto net = study.model.get<MarkovNet>();
  net.noisy_total = true;
  study.model = std::move(net);
  expect_calibrated(study, 2'000'000'000, std::nullopt, 30);
}

TEST(LongMarkovCalibration, LoopByPotentials) { expect_calibrated(loop_study(), 400'000'000, 2000, 500); }

TEST(LongMarkovCalibration, LoopByTables) { expect_calibrated(loop_study(), 4'000'000'000, 300, 500); }

TEST(LongMarkovCalibration, TreeWithPublicN) {
  expect_calibrated(model::markov_study({2, 3, 2, 2, 3}, kTree), 500'000'000, 1000, 1000);
}

TEST(LongMarkovCalibration, TrianglesWithPublicN) {
  expect_calibrated(model::markov_study({2, 3, 2, 3, 2}, kTriangles), 1'000'000'000, 300, 1000);
}

TEST(LongMarkovCalibration, TreeWithPrivateN) {
  model::Study study = model::markov_study({3, 2, 2, 2, 3}, kTree, Adjacency::add_remove);
  study.privacy.n_at_most = 400;
  expect_calibrated(study, 1'000'000'000, std::nullopt, 1000);
}

}  // namespace
}  // namespace postern::infer
