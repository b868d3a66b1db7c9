#include "kinds/network_tables.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"

namespace postern::model {
namespace {

constexpr std::uint32_t kMostWholes = 32;  // whole numbers that are told apart without cuts
constexpr std::size_t kUncountable = std::numeric_limits<std::size_t>::max();

Quotation number(std::size_t value) { return public_number(static_cast<long long>(value)); }

/// Numbers are discrete where they have cuts, or are a few whole ones.
void check_discrete(const Column& column) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  if (real != nullptr && real->cuts.empty()) {
    throw StudyError({{"columns", column.name}}, ErrorCode::bad_value,
                     {"a network is of discrete columns, and '", from_study(column.name),
                      "' is a real number; group it: cuts = [..]"});
  }
  if (whole != nullptr && whole->cuts.empty() && column.levels() > kMostWholes) {
    throw StudyError({{"columns", column.name}}, ErrorCode::bad_value,
                     {"a network is of discrete columns, and '", from_study(column.name), "' has ",
                      public_number(column.levels()), " whole numbers; group them: cuts = [..]"});
  }
}

}  // namespace

void check_network_columns(const std::vector<std::string>& columns, const Schema& schema) {
  if (columns.empty() || columns.size() > kMostNodes) {
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"a network has between 1 and ", number(kMostNodes), " columns, and this one has ",
                      number(columns.size())});
  }
  std::size_t after = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column =
        at_place({{"model", "columns"}, i}, [&]() -> const Column& { return schema.at(columns[i]); });
    check_discrete(column);
    const std::size_t index = *schema.find(column.name);
    if (i > 0 && index <= after) {
      throw StudyError({{"model", "columns"}, i}, ErrorCode::bad_value,
                       {"the columns of a network are not in the order in which they are declared"});
    }
    after = index;
  }
}

TableSize table_size(const std::vector<std::string>& columns, const Schema& schema) {
  TableSize out;
  for (const std::string& name : columns) {
    const std::size_t levels = schema.at(name).levels();
    out.cells = out.cells > kUncountable / levels ? kUncountable : out.cells * levels;
    out.text += (out.text.empty() ? "" : " x ") + std::to_string(levels);
  }
  return out;
}

std::string largest_tables(const std::vector<std::vector<std::string>>& tables, const Schema& schema) {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<TableSize, const std::vector<std::string>*>> sizes;
  for (const std::vector<std::string>& table : tables) sizes.emplace_back(table_size(table, schema), &table);
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.first.cells > b.first.cells; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, sizes.size()); ++i)
    out += (i == 0 ? "" : "; ") + joined(*sizes[i].second, ", ") + ": " + sizes[i].first.text;
  return out;
}

std::vector<std::string> declared_columns(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) names.push_back(column.name);
  return names;
}

void check_declared(const std::vector<std::string>& names, const char* key, const Schema& schema) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const StudyPlace place{{"model", key}, i};
    at_place(place, [&] { static_cast<void>(schema.at(names[i])); });
    if (!seen.insert(names[i]).second) {
      throw StudyError(place, ErrorCode::bad_value,
                       {"the model names the column '", from_study(names[i]), "' twice"});
    }
  }
}

std::vector<std::string> as_declared(const std::vector<std::string>& names, const Schema& schema) {
  const std::set<std::string_view> wanted(names.begin(), names.end());
  std::vector<std::string> out;
  for (const Column& column : schema.columns()) {
    if (wanted.contains(column.name)) out.push_back(column.name);
  }
  return out;
}

std::string counted(std::size_t number, const char* one) {
  return with_commas(number) + " " + one + (number == 1 ? "" : "s");
}

}  // namespace postern::model
