#include "postern/model/schema.hpp"

#include <algorithm>
#include <numeric>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Letters put in, left out, changed, or swapped with the next one; capitals count as small letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[j - 1]);
      row[j] = std::min({above[j - 1] + (x == y ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// Two letters may differ, but no more than a third of the longer word, and never all of the shorter one.
bool close_enough(std::size_t distance, std::string_view a, std::string_view b) {
  const std::size_t most = std::clamp<std::size_t>(std::max(a.size(), b.size()) / 3, 1, 2);
  return distance <= most && distance < std::min(a.size(), b.size());
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
  std::size_t best_distance = 0;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(wanted, name);
    if (!close_enough(distance, wanted, name) || (best && distance >= best_distance)) continue;
    best = name;
    best_distance = distance;
  }
  return best;
}

}  // namespace postern::model
