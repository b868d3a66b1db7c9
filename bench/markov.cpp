// Markov networks: propagation, learning and synthetic records, CPU seconds of one thread.
//   bench_markov [--data DIR]    DIR/adult-tree: noisy tables of a tree, which are optional
// The third-order chains are drawn here: ten variables, an edge between any two at most three apart, each
// edge's table Dirichlet(1), 10,000 records, Laplace noise of scale 48 in every cell.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "postern/core/draw.hpp"
#include "postern/infer/markov/estimate.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

template <class Work>
double seconds(Work&& work) {
  for (int runs = 1;; runs *= 2) {
    const double start = bench::cpu_seconds();
    for (int i = 0; i < runs; ++i) work();
    const double spent = bench::cpu_seconds() - start;
    if (spent > 0.2) return spent / runs;
  }
}

/// The least of three runs.
template <class Work>
double least_seconds(Work&& work) {
  double least = 1e9;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    work();
    least = std::min(least, bench::cpu_seconds() - start);
  }
  return least;
}

struct Chain {
  graph::LogLinear model;
  std::vector<double> theta;
  infer::MarkovProblem problem;
};

Chain chain(std::uint32_t levels) {
  constexpr std::uint32_t variables = 10;
  constexpr std::size_t records = 10'000;
  std::vector<graph::Variables> edges;
  for (std::uint32_t a = 0; a < variables; ++a) {
    for (std::uint32_t b = a + 1; b < variables && b <= a + 3; ++b) edges.push_back({a, b});
  }
  Rng rng(20'171, levels, Purpose::simulation);
  Chain out{graph::LogLinear(graph::Sizes(variables, levels), edges), {}, {}};
  const std::vector<double> ones(std::size_t{levels} * levels, 1.0);
  std::vector<double> table(ones.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    draw_dirichlet(ones, table, rng);
    for (const double p : table) out.theta.push_back(std::log(p));
  }
  auto work = out.model.workspace();
  (void)out.model.evaluate(out.theta, work);
  const auto drawn =
      out.model.propagation().draw_records(work.propagation, records, graph::Sampling::independent, rng);
  const release::DiscreteLaplace law(1.0 / 48);
  out.problem = {out.model.sizes(), {}, infer::KnownTotal{records}, {}};
  for (const graph::Variables& edge : edges) {
    std::vector<double> noisy(ones.size());
    for (std::size_t i = 0; i < records; ++i) ++noisy[drawn[edge[0]][i] * levels + drawn[edge[1]][i]];
    for (double& y : noisy) y += static_cast<double>(law.simulate(rng));
    out.problem.tables.push_back({edge, std::move(noisy), law});
  }
  return out;
}

void measure_chain(std::uint32_t levels, const std::string& bar, bench::Report& report) {
  const Chain made = chain(levels);
  const std::string name = "markov/third-order chain," + std::to_string(levels) + " levels";
  auto work = made.model.workspace();
  const double pass = seconds([&] { (void)made.model.evaluate(made.theta, work); });
  report.add(name + ": propagation a cell", 1e9 * pass / made.model.forecast().cells, "ns", "<= 8");
  const double learning = least_seconds(
      [&] { (void)infer::estimate_markov(made.problem, infer::MarkovEstimator::na_map, {}, {}); });
  report.add(name + ": na-map", learning, "s", bar);
}

infer::MarkovProblem adult(const std::filesystem::path& folder) {
  std::ifstream in(folder / "measurements.json");
  const nlohmann::json json = nlohmann::json::parse(in);
  infer::MarkovProblem out;
  std::map<std::string, std::uint32_t> numbers;
  for (const auto& [name, size] : json.at("columns").items()) {
    numbers.emplace(name, static_cast<std::uint32_t>(out.sizes.size()));
    out.sizes.push_back(size.get<std::uint32_t>());
  }
  const double sigma = json.at("sigma").get<double>();
  for (const auto& table : json.at("tables")) {
    graph::Variables clique;
    for (const auto& name : table.at("clique")) clique.push_back(numbers.at(name.get<std::string>()));
    out.tables.push_back(
        {clique, table.at("noisy").get<std::vector<double>>(), release::DiscreteGaussian(sigma * sigma)});
  }
  out.total = infer::LatentTotal{1'000'000, 0};
  return out;
}

/// CPU seconds until the squared distance is at most `goal`, or a large number if it is not reached.
double seconds_to(const infer::MarkovProblem& problem, double goal) {
  for (int steps = 1; steps <= 12; ++steps) {
    double reached = 0;
    const double spent = least_seconds([&] {
      reached =
          infer::estimate_markov(problem, infer::MarkovEstimator::l2, {.iterations = steps}, {}).objective;
    });
    if (reached <= goal) return spent;
  }
  return 1e9;
}

void measure_adult(const std::filesystem::path& folder, bench::Report& report) {
  const infer::MarkovProblem problem = adult(folder);
  report.add("markov/adult tree: squared distance 908.5", seconds_to(problem, 908.5), "s", "<= 0.2");
  report.add("markov/adult tree: squared distance 891.5", seconds_to(problem, 891.5), "s", "<= 1");
  const auto fit = infer::estimate_markov(problem, infer::MarkovEstimator::l2, {.iterations = 6}, {});
  auto work = fit.model->workspace();
  const double pass = seconds([&] { (void)fit.model->evaluate(fit.theta, work); });
  report.add("markov/adult tree: marginals", 1e6 * pass, "us", "<= 35");
  Rng rng(1, 0, Purpose::synthesis);
  const double rows = seconds([&] {
    (void)fit.model->propagation().draw_records(work.propagation, 1'000'000, graph::Sampling::rounded, rng);
  });
  report.add("markov/adult tree: 10^6 records", rows, "s", "<= 0.4");
}

}  // namespace

int main(int count, char** arguments) {
  bench::Report report;
  measure_chain(5, "<= 0.1", report);
  measure_chain(10, "<= 2", report);
  if (count < 3 || std::string(arguments[1]) != "--data") return 0;
  const std::filesystem::path data(arguments[2]);
  if (exists(data / "adult-tree" / "measurements.json")) measure_adult(data / "adult-tree", report);
}
