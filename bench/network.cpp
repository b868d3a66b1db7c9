// Posteriors of every variable of published networks given five others, CPU seconds, one thread: the
// structure compiled anew each time, as one question costs, and compiled once, as a draw of many costs.
//   bench_network [FOLDER POSTERIORS]    BIF files, and tests/data/networks/posteriors.txt, which names the
//   evidence
// Without arguments there is nothing to measure. Its peers are in bench/peers/network.py.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "postern/graph/bif.hpp"
#include "postern/graph/query.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

graph::BifNetwork read(const std::string& path) {
  std::ifstream in(path);
  return graph::parse_bif(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

std::uint32_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin());
}

/// "evidence <variable> <level> ..."
graph::Evidence parse_evidence(const std::string& line, const graph::BifNetwork& network) {
  std::istringstream words(line);
  std::string variable;
  std::string level;
  words >> variable;
  graph::Evidence out;
  while (words >> variable >> level) {
    const std::uint32_t v = index_of(network.names(), variable);
    out.push_back({v, index_of(network.variables.at(v).levels, level)});
  }
  return out;
}

template <class Work>
double seconds(Work&& work) {
  int runs = 1;
  for (;; runs *= 2) {
    const double start = bench::cpu_seconds();
    for (int i = 0; i < runs; ++i) work();
    const double spent = bench::cpu_seconds() - start;
    if (spent > 0.2) return spent / runs;
  }
}

void measure(const std::string& name, const graph::BifNetwork& network, const graph::Evidence& evidence,
             bench::Report& report) {
  const graph::Dag dag = network.dag();
  const graph::Sizes sizes = network.sizes();
  const auto tables = network.tables();
  const double once = seconds([&] { (void)graph::posteriors(dag, sizes, tables, evidence); });
  report.add("network/" + name, once, "s");

  graph::Variables seen;
  std::vector<std::uint32_t> levels;
  for (const graph::Seen& one : evidence) {
    seen.push_back(one.variable);
    levels.push_back(one.level);
  }
  const graph::CompiledNetwork compiled(dag, sizes, graph::every_variable(sizes.size(), seen));
  auto work = compiled.workspace();
  std::vector<double> out(compiled.offset(sizes.size()));
  const double again = seconds([&] { (void)compiled.run(tables, levels, work, out); });
  report.add("network/" + name + ", compiled", again, "s");
}

}  // namespace

int main(int count, char** arguments) {
  bench::Report report;
  if (count < 3) return 0;
  std::ifstream in(arguments[2]);
  std::string name;
  graph::BifNetwork network;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("network ")) {
      name = line.substr(8);
      network = read(std::string(arguments[1]) + "/" + name + ".bif");
    } else if (line.starts_with("evidence ") && network.variables.size() >= 20) {
      measure(name, network, parse_evidence(line, network), report);
    }
  }
}
