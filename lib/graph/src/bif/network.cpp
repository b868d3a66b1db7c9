#include "postern/graph/bif.hpp"

namespace postern::graph {

Sizes BifNetwork::sizes() const {
  Sizes out;
  for (const BifVariable& variable : variables)
    out.push_back(static_cast<std::uint32_t>(variable.levels.size()));
  return out;
}

std::vector<std::string> BifNetwork::names() const {
  std::vector<std::string> out;
  for (const BifVariable& variable : variables) out.push_back(variable.name);
  return out;
}

Dag BifNetwork::dag() const {
  std::vector<Variables> parents;
  for (const BifVariable& variable : variables) parents.push_back(variable.parents);
  return Dag(std::move(parents), names());
}

std::vector<std::span<const double>> BifNetwork::tables() const {
  std::vector<std::span<const double>> out;
  for (const BifVariable& variable : variables) out.emplace_back(variable.table);
  return out;
}

}  // namespace postern::graph
