#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::honesty {

/// A table of real or made-up records, as text: the form in which they go through the owner's reader.
struct Records {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  [[nodiscard]] std::size_t place(const std::string& name) const;
  /// The column's values as numbers. @pre they all are
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
};

/// Nothing where there is no such file. Quotes are dropped, blanks at the ends of fields too.
[[nodiscard]] std::optional<Records> read_records(const std::filesystem::path& file);
/// These columns alone, and of the rows those that lack no value ("", "NA", "?" only where `strict`).
[[nodiscard]] Records select(const Records& from, const std::vector<std::string>& columns, bool complete);
/// `value` is the level of the first cut above it: 0 below the first one.
[[nodiscard]] Records cut(Records records, const std::string& column, const std::vector<double>& cuts);
/// So many rows, drawn with replacement.
[[nodiscard]] Records resample(const Records& population, std::size_t n, Rng& rng);
void write_records(const Records& records, const std::filesystem::path& file);

/// The column's values that occur, in order: by value where they are numbers.
[[nodiscard]] std::vector<std::string> levels(const Records& records, const std::string& column);

}  // namespace postern::honesty
