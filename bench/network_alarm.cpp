// ALARM (37 variables, 509 free probabilities) from 10^5 records: noisy tables of all families at epsilon 1,
// the posterior, and the marginal of every variable with its interval. CPU seconds of all of it, how well the
// chains mixed, and how many of the true probabilities 90 % intervals hold: where the truth is the published
// network, and where it is drawn from the prior, as coverage is defined.
//   bench_network_alarm [FOLDER]    with alarm.bif; without it there is nothing to measure

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/graph/bif.hpp"
#include "postern/graph/compiled_network.hpp"
#include "postern/graph/query.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

constexpr std::int64_t kRecords = 100'000;
constexpr double kAlpha = 0.5;
constexpr std::size_t kDraws = 250;  ///< a chain

void draw_from_prior(graph::BifNetwork& network, Rng& rng) {
  for (graph::BifVariable& variable : network.variables) {
    const std::vector<double> alpha(variable.levels.size(), kAlpha);
    for (std::size_t row = 0; row < variable.table.size(); row += alpha.size())
      draw_dirichlet(alpha, std::span(variable.table).subspan(row, alpha.size()), rng);
  }
}

std::vector<std::vector<std::int64_t>> count_records(const graph::BifNetwork& network, Rng& rng) {
  const graph::Dag dag = network.dag();
  const graph::Sizes sizes = network.sizes();
  const auto tables = network.tables();
  std::vector<std::vector<std::int64_t>> counts;
  for (const graph::BifVariable& variable : network.variables) counts.emplace_back(variable.table.size());
  std::vector<std::uint32_t> record(sizes.size());
  for (std::int64_t i = 0; i < kRecords; ++i) {
    graph::draw_record(dag, sizes, tables, record, rng);
    for (std::uint32_t v = 0; v < sizes.size(); ++v) {
      std::size_t cell = 0;
      for (const std::uint32_t u : dag.family(v)) cell = cell * sizes[u] + record[u];
      ++counts[v][cell];
    }
  }
  return counts;
}

infer::NetworkProblem release_counts(const graph::BifNetwork& network,
                                     const std::vector<std::vector<std::int64_t>>& counts, Rng& rng) {
  const graph::Dag dag = network.dag();
  infer::NetworkProblem problem;
  problem.sizes = network.sizes();
  problem.total = infer::KnownTotal{kRecords};
  const release::NoiseLaw law = release::DiscreteLaplace(1 / (2 * static_cast<double>(problem.sizes.size())));
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    infer::NetworkFamily family;
    family.variables = dag.family(v);
    family.alpha.assign(counts[v].size(), kAlpha);
    for (const std::int64_t count : counts[v])
      family.noisy_values.push_back({{static_cast<double>(count + release::simulate(law, rng)), law}});
    problem.families.push_back(std::move(family));
  }
  return problem;
}

using Draws = std::vector<std::vector<double>>;  ///< [chain][quantity * kDraws + i]

Draws marginals(const graph::BifNetwork& network, const Draws& draws, std::size_t quantities) {
  const graph::Dag dag = network.dag();
  const graph::Sizes sizes = network.sizes();
  const graph::CompiledNetwork compiled(dag, sizes, graph::every_variable(sizes.size(), {}));
  auto work = compiled.workspace();
  const std::size_t cells = compiled.offset(sizes.size());
  std::vector<double> theta(quantities);
  std::vector<double> out(cells);
  Draws all(draws.size(), std::vector<double>(cells * kDraws));
  for (std::size_t c = 0; c < draws.size(); ++c) {
    for (std::size_t i = 0; i < kDraws; ++i) {
      for (std::size_t q = 0; q < quantities; ++q) theta[q] = draws[c][q * kDraws + i];
      static_cast<void>(compiled.run(graph::split_tables(dag, sizes, theta), {}, work, out));
      for (std::size_t k = 0; k < cells; ++k) all[c][k * kDraws + i] = out[k];
    }
  }
  return all;
}

struct Quality {
  double ess = 1e300;  ///< least
  double rhat = 0;     ///< greatest
  double covered = 0;  ///< share of the truths within 90 % intervals
};

Quality judge(const Draws& draws, std::span<const double> truth) {
  Quality out;
  std::vector<double> sorted;
  for (std::size_t q = 0; q < truth.size(); ++q) {
    std::vector<std::span<const double>> chains;
    sorted.clear();
    for (const auto& chain : draws) {
      chains.emplace_back(chain.data() + q * kDraws, kDraws);
      sorted.insert(sorted.end(), chains.back().begin(), chains.back().end());
    }
    std::sort(sorted.begin(), sorted.end());
    const std::size_t tail = sorted.size() / 20;
    out.ess = std::min(out.ess, bulk_ess(ChainDraws(chains)));
    out.rhat = std::max(out.rhat, rank_rhat(ChainDraws(chains)));
    if (sorted[tail] <= truth[q] && truth[q] <= sorted[sorted.size() - 1 - tail]) out.covered += 1;
  }
  out.covered /= static_cast<double>(truth.size());
  return out;
}

void measure(const std::string& name, const graph::BifNetwork& network, Rng& rng, bench::Report& report) {
  const auto counts = count_records(network, rng);
  const double start = bench::cpu_seconds();
  const infer::NetworkProblem problem = release_counts(network, counts, rng);
  infer::DriverOptions options;
  options.threads = 1;
  options.draws = kDraws;
  const infer::ChainRun run = infer::draw_network_tables(problem, options, {});
  const Draws of_variables = marginals(network, run.draws, infer::network_quantities(problem));
  const double seconds = bench::cpu_seconds() - start;

  std::vector<double> entries;
  for (const graph::BifVariable& variable : network.variables)
    entries.insert(entries.end(), variable.table.begin(), variable.table.end());
  std::vector<double> truth;
  const auto answer = graph::posteriors(network.dag(), network.sizes(), network.tables(), {});
  for (const std::vector<double>& marginal : answer.tables)
    truth.insert(truth.end(), marginal.begin(), marginal.end());
  const Quality cells = judge(run.draws, entries);
  const Quality variables = judge(of_variables, truth);
  report.add(name, seconds, "s", "< 60");
  report.add(name + ",marginals,greatest R-hat", variables.rhat, "", "<= 1.05");
  report.add(name + ",marginals,least ESS", variables.ess, "of 1000 draws");
  report.add(name + ",marginals,coverage of 90 %", variables.covered, "");
  report.add(name + ",entries,greatest R-hat", cells.rhat, "");
  report.add(name + ",entries,least ESS", cells.ess, "of 1000 draws");
  report.add(name + ",entries,coverage of 90 %", cells.covered, "");
}

}  // namespace

int main(int count, char** arguments) {
  bench::Report report;
  if (count < 2) return 0;
  const std::string path = std::string(arguments[1]) + "/alarm.bif";
  std::ifstream in(path);
  graph::BifNetwork network = graph::parse_bif(std::string(std::istreambuf_iterator<char>(in), {}), path);
  Rng rng(1, 0, Purpose::test);
  measure("network/alarm,n=1e5,eps=1", network, rng, report);
  draw_from_prior(network, rng);
  measure("network/alarm,n=1e5,eps=1,truth from the prior", network, rng, report);
}
