#include <algorithm>
#include <array>
#include <charconv>

#include "postern/core/error.hpp"
#include "postern/graph/bif.hpp"
#include "postern/graph/network.hpp"

namespace postern::graph {
namespace {

/// A name as a file has it: bare if that reads as one word and nothing else.
std::string word(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+' || c == '<' || c == '>' || c == '=' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (!name.empty() && std::ranges::all_of(name, plain)) return std::string(name);
  if (std::ranges::any_of(name, [](char c) { return c == '"' || static_cast<unsigned char>(c) < ' '; })) {
    throw Error(ErrorCode::bad_value, {"a network file cannot hold the name ", from_study(name),
                                       ": it has a quotation mark or a control character; rename it"});
  }
  return '"' + std::string(name) + '"';
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& one : words) out += (out.empty() ? "" : ", ") + word(one);
  return out;
}

void add_numbers(std::string& out, std::span<const double> numbers) {
  std::array<char, 32> text{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ", ";
    const auto end = std::to_chars(text.data(), text.data() + text.size(), numbers[i]);
    out.append(text.data(), end.ptr);
  }
  out += ";\n";
}

void add_probabilities(std::string& out, const BifNetwork& network, const BifVariable& variable) {
  std::vector<std::string> parents;
  for (const std::uint32_t p : variable.parents) parents.push_back(network.variables[p].name);
  out += "probability ( " + word(variable.name) + (parents.empty() ? "" : " | " + listed(parents)) + " ) {\n";
  const std::size_t levels = variable.levels.size();
  if (parents.empty()) {
    out += "  table ";
    add_numbers(out, variable.table);
  }
  for (std::size_t row = 0; !parents.empty() && row < variable.table.size() / levels; ++row) {
    std::vector<std::string> at(parents.size());
    for (std::size_t i = parents.size(), left = row; i-- > 0;) {
      const std::vector<std::string>& names = network.variables[variable.parents[i]].levels;
      at[i] = names[left % names.size()];
      left /= names.size();
    }
    out += "  (" + listed(at) + ") ";
    add_numbers(out, std::span(variable.table).subspan(row * levels, levels));
  }
  out += "}\n";
}

}  // namespace

std::string write_bif(const BifNetwork& network) {
  check_sizes(network.sizes());
  check_tables(network.dag(), network.sizes(), network.tables());
  std::string out = "network " + word(network.name) + " {\n}\n";
  for (const BifVariable& variable : network.variables) {
    out += "variable " + word(variable.name) + " {\n  type discrete [ " +
           std::to_string(variable.levels.size()) + " ] { " + listed(variable.levels) + " };\n}\n";
  }
  for (const BifVariable& variable : network.variables) add_probabilities(out, network, variable);
  return out;
}

}  // namespace postern::graph
