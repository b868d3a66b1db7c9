#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "postern/core/error.hpp"
#include "postern/graph/bif.hpp"

#include "bif/declarations.hpp"

namespace postern::graph {
namespace {

using bif::Declarations;
using bif::Entry;
using bif::ProbabilityBlock;
using bif::Token;

constexpr double kMostCells = 0x1p22;

using Numbering = std::unordered_map<std::string, std::uint32_t>;

/// A network in the making, from what its file declares.
class Builder {
 public:
  Builder(const bif::Tokens& tokens, Declarations declared)
      : tokens_(tokens), declared_(std::move(declared)) {}

  [[nodiscard]] BifNetwork build() {
    if (!declared_.name.empty()) network_.name = declared_.name;
    for (const bif::VariableBlock& block : declared_.variables) add_variable(block);
    const std::vector<const ProbabilityBlock*> blocks = find_parents();
    check_cycles(blocks);
    check_cells();
    for (std::uint32_t v = 0; v < blocks.size(); ++v) fill_table(v, *blocks[v]);
    return std::move(network_);
  }

 private:
  /// Told at the block of a variable of the cycle.
  void check_cycles(const std::vector<const ProbabilityBlock*>& blocks) const {
    try {
      (void)network_.dag();
    } catch (const Error& error) {
      std::vector<Variables> parents;
      for (const BifVariable& variable : network_.variables) parents.push_back(variable.parents);
      const auto repeats = [](const Variables& own) {
        return std::ranges::any_of(own, [&](std::uint32_t p) { return std::ranges::count(own, p) > 1; });
      };
      auto at = static_cast<std::size_t>(std::ranges::find_if(parents, repeats) - parents.begin());
      if (at == parents.size()) at = find_cycle(parents).value_or(Variables{0}).front();
      refuse(blocks[at]->at, error.what());
    }
  }
  [[noreturn]] void refuse(const Token& at, const std::string& why) const {
    throw tokens_.error(ErrorCode::bad_value, at, why);
  }

  void add_variable(const bif::VariableBlock& block) {
    const auto index = static_cast<std::uint32_t>(network_.variables.size());
    if (!variables_.emplace(block.name, index).second)
      refuse(block.at, "variable '" + block.name + "' is declared twice");
    Numbering& levels = levels_.emplace_back();
    for (const std::string& level : block.levels) {
      if (!levels.emplace(level, static_cast<std::uint32_t>(levels.size())).second)
        refuse(block.at, "variable '" + block.name + "' has the level '" + level + "' twice");
    }
    network_.variables.push_back({block.name, block.levels, {}, {}});
  }

  [[nodiscard]] bool all_declared(const std::vector<std::string>& names) const {
    return std::ranges::all_of(names, [this](const std::string& name) { return variables_.contains(name); });
  }

  /// The variable and its parents, by name.
  [[nodiscard]] std::vector<std::string> family(const ProbabilityBlock& block) const {
    const auto declared = [this](const bif::Names& names) {
      return all_declared(names.by_group()) ? names.by_group() : names.by_word();
    };
    std::vector<std::string> out = declared(block.variable);
    if (!block.parents) return out;
    if (out.size() > 1) refuse(block.at, "expected one variable before '|'");
    const std::vector<std::string> parents = declared(*block.parents);
    out.insert(out.end(), parents.begin(), parents.end());
    return out;
  }

  [[nodiscard]] std::uint32_t find_variable(const Token& at, const std::string& name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end()) refuse(at, "'" + name + "' is not declared as a variable");
    return found->second;
  }

  /// The block of each variable, its parents noted.
  [[nodiscard]] std::vector<const ProbabilityBlock*> find_parents() {
    std::vector<const ProbabilityBlock*> blocks(network_.variables.size());
    for (const ProbabilityBlock& block : declared_.probabilities) {
      const std::vector<std::string> names = family(block);
      const std::uint32_t v = find_variable(block.at, names.front());
      if (blocks[v] != nullptr) refuse(block.at, "'" + names.front() + "' has a probability block already");
      blocks[v] = &block;
      for (std::size_t i = 1; i < names.size(); ++i)
        network_.variables[v].parents.push_back(find_variable(block.at, names[i]));
    }
    for (std::size_t v = 0; v < blocks.size(); ++v) {
      if (blocks[v] != nullptr) continue;
      const bif::VariableBlock& block = declared_.variables[v];
      refuse(block.at,
             "'" + block.name + "' has no probabilities; add 'probability ( " + block.name + " ) { ... }'");
    }
    return blocks;
  }

  void check_cells() const {
    const Sizes sizes = network_.sizes();
    double cells = 0;
    for (std::uint32_t v = 0; v < sizes.size(); ++v) {
      cells += cells_of(network_.variables[v].parents, sizes) * sizes[v];
      if (cells > kMostCells) {
        throw tokens_.error(
            ErrorCode::bad_value, declared_.variables[v].at,
            "the tables up to that of '" + declared_.variables[v].name +
                "' have more than 4,194,304 cells; it has too many parents, or these too many levels");
      }
    }
  }

  [[nodiscard]] std::size_t row_of(std::uint32_t v, const Entry& entry) const {
    const Variables& parents = network_.variables[v].parents;
    const std::vector<std::string> names = entry.levels.count(parents.size());
    if (names.size() != parents.size()) {
      refuse(entry.at, "expected one level for each of " + std::to_string(parents.size()) + " parents of '" +
                           network_.variables[v].name + "', found " + std::to_string(names.size()));
    }
    std::size_t row = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = levels_[parents[i]].find(names[i]);
      if (found == levels_[parents[i]].end())
        refuse(entry.at, "'" + names[i] + "' is no level of '" + network_.variables[parents[i]].name + "'");
      row = row * levels_[parents[i]].size() + found->second;
    }
    return row;
  }

  void expect_numbers(const Entry& entry, std::size_t count) const {
    if (entry.numbers.size() != count) {
      refuse(entry.at, "expected " + std::to_string(count) + " probabilities, found " +
                           std::to_string(entry.numbers.size()));
    }
  }

  void fill_table(std::uint32_t v, const ProbabilityBlock& block) {
    BifVariable& variable = network_.variables[v];
    const std::size_t levels = variable.levels.size();
    const std::size_t rows = static_cast<std::size_t>(cells_of(variable.parents, network_.sizes()));
    variable.table.assign(rows * levels, 0.0);
    std::vector<const Entry*> given(rows);
    const Entry* otherwise = nullptr;
    for (const Entry& entry : block.entries) {
      expect_numbers(entry, entry.kind == Entry::Kind::table ? rows * levels : levels);
      if (entry.kind == Entry::Kind::otherwise) {
        if (otherwise != nullptr) refuse(entry.at, "a second default");
        otherwise = &entry;
      } else if (entry.kind == Entry::Kind::row) {
        give_row(v, entry, row_of(v, entry), given);
      } else {
        give_table(v, entry, given);
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      if (given[row] == nullptr) {
        if (otherwise == nullptr)
          refuse(block.at, row_name(v, row) + " has no probabilities; add the row, or a default");
        give_row(v, *otherwise, row, given);
      }
      normalise(v, row, given[row]->at);
    }
  }

  void give_row(std::uint32_t v, const Entry& entry, std::size_t row, std::vector<const Entry*>& given) {
    if (given[row] != nullptr) refuse(entry.at, row_name(v, row) + " is given twice");
    given[row] = &entry;
    std::ranges::copy(entry.numbers, network_.variables[v].table.begin() +
                                         static_cast<std::ptrdiff_t>(row * entry.numbers.size()));
  }

  /// All at once: in files the variable itself is the slowest, here the fastest.
  void give_table(std::uint32_t v, const Entry& entry, std::vector<const Entry*>& given) {
    const std::size_t levels = network_.variables[v].levels.size();
    for (std::size_t row = 0; row < given.size(); ++row) {
      if (given[row] != nullptr) refuse(entry.at, row_name(v, row) + " is given twice");
      given[row] = &entry;
      for (std::size_t i = 0; i < levels; ++i)
        network_.variables[v].table[row * levels + i] = entry.numbers[i * given.size() + row];
    }
  }

  void normalise(std::uint32_t v, std::size_t row, const Token& at) {
    constexpr double tolerance = 1e-6;
    const std::size_t levels = network_.variables[v].levels.size();
    const double rounding = 1e-12 + 1e-15 * static_cast<double>(levels);
    const std::span<double> cells = std::span(network_.variables[v].table).subspan(row * levels, levels);
    double sum = 0;
    for (const double p : cells) sum += p;
    if (!(std::abs(sum - 1) <= tolerance)) {
      std::array<char, 32> text{};
      const auto end =
          std::to_chars(text.data(), text.data() + text.size(), sum, std::chars_format::general, 9);
      refuse(at, row_name(v, row) + " sums to " + std::string(text.data(), end.ptr) + ", not to 1");
    }
    if (std::abs(sum - 1) <= rounding) return;
    for (double& p : cells) p /= sum;
  }

  /// "P(dysp | bronc = yes, either = no)"
  [[nodiscard]] std::string row_name(std::uint32_t v, std::size_t row) const {
    const BifVariable& variable = network_.variables[v];
    std::vector<std::uint32_t> levels(variable.parents.size());
    for (std::size_t i = levels.size(); i-- > 0; row /= levels_[variable.parents[i]].size())
      levels[i] = static_cast<std::uint32_t>(row % levels_[variable.parents[i]].size());
    std::string name = "P(" + variable.name;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const BifVariable& parent = network_.variables[variable.parents[i]];
      name += i == 0 ? " | " : ", ";
      name += parent.name + " = " + parent.levels[levels[i]];
    }
    return name + ")";
  }

  const bif::Tokens& tokens_;
  Declarations declared_;
  BifNetwork network_;
  Numbering variables_;
  std::vector<Numbering> levels_;
};

}  // namespace

BifNetwork parse_bif(std::string_view text, std::string_view file) {
  bif::Tokens tokens(text, file);
  return Builder(tokens, bif::parse_declarations(tokens)).build();
}

}  // namespace postern::graph
