// The chain on the tables of a network: seconds until the worst of all CPT entries has 1000 effective draws,
// warm-up included, and effective draws a CPU second. The network is of eight columns of Adult, with up to
// two parents each; with --data DIR its records are those of DIR/adult.csv, else they are drawn from a model
// of its shape.

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "adult_networks/adult_records.hpp"
#include "bench.hpp"

namespace {

using namespace postern;

using adult::kSizes;
using adult::Record;
const adult::Parents& kParents = adult::kTwoParents;
constexpr std::size_t kRecords = 26'048;

std::size_t row_of(const Record& record, std::size_t v) {
  std::size_t row = 0;
  for (const std::uint32_t parent : kParents[v]) row = row * kSizes[parent] + record[parent];
  return row;
}

std::vector<Record> draw_records(Rng& rng) {
  std::vector<Record> out(kRecords);
  for (std::size_t v = 0; v < kSizes.size(); ++v) {
    std::size_t rows = 1;
    for (const std::uint32_t parent : kParents[v]) rows *= kSizes[parent];
    std::vector<double> theta(rows * kSizes[v]);
    const std::vector<double> alpha(kSizes[v], 1.0);
    for (std::size_t row = 0; row < rows; ++row)
      draw_dirichlet(alpha, std::span(theta).subspan(row * kSizes[v], kSizes[v]), rng);
    for (Record& record : out) {
      const double* p = theta.data() + row_of(record, v) * kSizes[v];
      double left = rng.uniform();
      while (record[v] + 1 < kSizes[v] && (left -= p[record[v]]) > 0) ++record[v];
    }
  }
  return out;
}

infer::NetworkProblem problem_of(const std::vector<Record>& records, double epsilon, Rng& rng) {
  infer::NetworkProblem problem;
  problem.sizes = kSizes;
  problem.total = infer::KnownTotal{static_cast<std::int64_t>(records.size())};
  const release::NoiseLaw law = release::DiscreteLaplace(epsilon / (2 * static_cast<double>(kSizes.size())));
  for (std::uint32_t v = 0; v < kSizes.size(); ++v) {
    infer::NetworkFamily family;
    family.variables = kParents[v];
    family.variables.push_back(v);
    std::size_t cells = 1;
    for (const std::uint32_t u : family.variables) cells *= kSizes[u];
    std::vector<double> counts(cells);
    for (const Record& record : records) counts[row_of(record, v) * kSizes[v] + record[v]] += 1;
    family.alpha.assign(cells, 0.5);
    for (const double count : counts)
      family.noisy_values.push_back({{count + static_cast<double>(release::simulate(law, rng)), law}});
    problem.families.push_back(std::move(family));
  }
  return problem;
}

struct Quality {
  double ess = 0;
  double rhat = 0;
};

/// Of the worst CPT entry.
Quality least(const infer::ChainRun& run, std::size_t quantities, std::size_t draws) {
  Quality out{1e300, 0};
  for (std::size_t q = 0; q < quantities; ++q) {
    std::vector<std::span<const double>> chains;
    for (const auto& chain : run.draws) chains.emplace_back(chain.data() + q * draws, draws);
    out.ess = std::min(out.ess, bulk_ess(ChainDraws(chains)));
    out.rhat = std::max(out.rhat, rank_rhat(ChainDraws(chains)));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report;
  Rng rng(1, 0, Purpose::test);
  const bool given = argc > 2 && std::string(argv[1]) == "--data";
  const std::vector<Record> records = given ? adult::read_adult(argv[2], kRecords) : draw_records(rng);
  for (const double epsilon : {0.1, 0.5, 1.0, 2.0, 5.0}) {
    const infer::NetworkProblem problem = problem_of(records, epsilon, rng);
    infer::DriverOptions options;
    options.threads = 1;
    options.draws = 350;
    const double start = bench::cpu_seconds();
    const infer::ChainRun run = infer::draw_network_tables(problem, options, {});
    const double seconds = bench::cpu_seconds() - start;
    const Quality worst = least(run, infer::network_quantities(problem), options.draws);
    const std::string name = (std::ostringstream() << "network/tables,eps=" << epsilon).str();
    report.add(name, 1000 * seconds / worst.ess, "s per 1000 effective draws", "<= 2");
    report.add(name + ",least ESS", worst.ess, "of 1400 draws");
    report.add(name + ",greatest R-hat", worst.rhat, "");
    report.add(name + ",warm-up", static_cast<double>(run.warmup), "steps");
    report.add(name + ",thinning", static_cast<double>(run.thinning), "steps");
    report.add(name + ",seconds", seconds, "s");
  }
}
