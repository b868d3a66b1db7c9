// Parquet file to coded columns: 10^7 rows of eight text and six integer columns (bench/make_parquet.py), one
// thread, through the Arrow plugin.
//   bench_parquet FILE
#include <algorithm>
#include <string>
#include <vector>

#include "postern/owner/arrow_files.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

/// c0 ... c7 hold "level-0", "level-1", ...; c8 ... c13 hold whole numbers from 0.
model::Schema made_up_columns() {
  const std::vector<std::uint32_t> sizes = {9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2};
  constexpr std::size_t kTexts = 8;
  std::vector<model::Column> columns;
  for (const std::uint32_t size : sizes) {
    model::Column column;
    column.name = "c" + std::to_string(columns.size());
    column.values = model::IntegerRange{0, size - 1, {}};
    if (columns.size() < kTexts) {
      model::Categories labels;
      for (std::uint32_t level = 0; level < size; ++level)
        labels.labels.push_back("level-" + std::to_string(level));
      column.values = labels;
      column.outside = model::MapTo{0};
    }
    columns.push_back(column);
  }
  return model::Schema(columns);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t kRows = 10'000'000;
  if (argc != 2) return 64;
  const model::Schema schema = made_up_columns();
  std::vector<std::string> names;
  for (const model::Column& column : schema.columns()) names.push_back(column.name);
  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    owner::ArrowFiles file(argv[1], std::nullopt, schema, names, std::nullopt, 1);
    const owner::Records records = std::move(file).read();
    times.push_back(bench::cpu_seconds() - start);
    if (records.rows() != kRows) return 1;
  }
  std::sort(times.begin(), times.end());
  report.add("parquet: 10^7 rows x 14 columns to coded columns", times[1], "CPU s");
}
