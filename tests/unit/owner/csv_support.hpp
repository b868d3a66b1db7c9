#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/csv.hpp"

namespace postern::owner {

/// A file that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    static int count = 0;
    path_ =
        testing::TempDir() + "postern-" + std::to_string(getpid()) + "-" + std::to_string(count++) + ".csv";
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// One vector of levels for each record.
using Rows = std::vector<std::vector<std::uint32_t>>;

inline Rows rows_of(const Records& records, const std::vector<std::string>& names) {
  Rows rows(records.rows());
  for (const std::string& name : names) {
    std::visit(
        [&](const auto& codes) {
          for (std::size_t i = 0; i < codes.size(); ++i) rows[i].push_back(codes[i]);
        },
        records.column(name));
  }
  return rows;
}

inline std::vector<std::string> names_of(const model::Schema& schema) {
  std::vector<std::string> names;
  for (const auto& column : schema.columns()) names.push_back(column.name);
  return names;
}

inline Rows read_rows(const std::string& content, const model::Schema& schema, int threads = 1) {
  const TemporaryFile file(content);
  const auto names = names_of(schema);
  return rows_of(CsvFile(file.path(), schema, names).read(threads), names);
}

/// Columns named a and b: a category and a number, whose missing values are told apart from every other.
inline model::Schema two_columns() {
  return model::Schema({
      {"a", model::Categories{{"x", "y", "é", "p,q", "u\"v", "none", "other"}}, model::MapTo{5},
       model::MapTo{6}, true},
      {"b", model::IntegerRange{0, 9, {}}, model::MapTo{7}, model::MapTo{8}, true},
  });
}

}  // namespace postern::owner
