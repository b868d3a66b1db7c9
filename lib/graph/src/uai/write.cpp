#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "postern/graph/uai.hpp"

namespace postern::graph {
namespace {

void add_number(std::string& out, double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
  out += ' ';
  out.append(text.data(), end.ptr);
}

}  // namespace

std::string write_uai(const UaiNetwork& network) {
  std::string out = network.kind == UaiNetwork::Kind::markov ? "MARKOV\n" : "BAYES\n";
  out += std::to_string(network.sizes.size()) + "\n";
  for (std::size_t v = 0; v < network.sizes.size(); ++v)
    out += (v > 0 ? " " : "") + std::to_string(network.sizes[v]);
  out += "\n" + std::to_string(network.tables.size()) + "\n";
  for (const UaiNetwork::Table& table : network.tables) {
    out += std::to_string(table.variables.size());
    for (const std::uint32_t v : table.variables) out += " " + std::to_string(v);
    out += "\n";
  }
  for (const UaiNetwork::Table& table : network.tables) {
    out += "\n" + std::to_string(table.weights.size()) + "\n";
    for (const double weight : table.weights) add_number(out, weight);
    out += "\n";
  }
  return out;
}

std::string write_uai_evidence(const Evidence& evidence) {
  std::string out = std::to_string(evidence.size());
  for (const Seen& seen : evidence)
    out += " " + std::to_string(seen.variable) + " " + std::to_string(seen.level);
  return out + "\n";
}

UaiNetwork to_uai(const LogLinear& model, std::span<const double> theta) {
  UaiNetwork out{UaiNetwork::Kind::markov, model.sizes(), {}};
  for (std::size_t f = 0; f < model.cliques().size(); ++f) {
    const auto logs = theta.subspan(model.offset(f), model.offset(f + 1) - model.offset(f));
    const double most = std::ranges::max(logs);
    UaiNetwork::Table table{model.cliques()[f], {}};
    for (const double log : logs) table.weights.push_back(std::isfinite(most) ? std::exp(log - most) : 0.0);
    out.tables.push_back(std::move(table));
  }
  return out;
}

UaiNetwork to_uai(const Dag& dag, const Sizes& sizes, Tables tables) {
  UaiNetwork out{UaiNetwork::Kind::bayes, sizes, {}};
  for (std::uint32_t v = 0; v < dag.size(); ++v)
    out.tables.push_back({dag.family(v), std::vector<double>(tables[v].begin(), tables[v].end())});
  return out;
}

}  // namespace postern::graph
