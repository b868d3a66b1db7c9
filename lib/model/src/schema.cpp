#include "postern/model/schema.hpp"

#include <algorithm>
#include <numeric>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

}  // namespace

Schema::Schema(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    check_column(columns_[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (columns_[i].name == columns_[j].name) {
        throw Error(ErrorCode::column_repeated,
                    {"column '", from_study(columns_[i].name), "' is declared twice"});
      }
    }
  }
}

std::optional<std::size_t> Schema::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  return std::nullopt;
}

const Column& Schema::at(std::string_view name) const {
  if (const auto index = find(name)) return columns_[*index];
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name);
  const auto nearest = nearest_name(name, names);
  if (nearest) {
    throw Error(ErrorCode::unknown_column,
                {"column '", from_study(name), "' is not declared in the study; did you mean '",
                 from_study(*nearest), "'?"});
  }
  throw Error(ErrorCode::unknown_column,
              {"column '", from_study(name), "' is not declared in the study; add a [columns.",
               from_study(name), "] table"});
}

graph::Domain Schema::domain(std::span<const std::string> names) const {
  std::vector<std::uint32_t> sizes;
  for (const std::string& name : names) sizes.push_back(at(name).levels());
  return {{names.begin(), names.end()}, std::move(sizes)};
}

std::optional<std::string> nearest_name(std::string_view wanted, std::span<const std::string> known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(wanted, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace postern::model
