// Parquet file to coded columns: the rows of bench/make_parquet.py, one thread, through the Arrow plugin.
//   bench_parquet FILE NAME
// bench/run.py runs this and bench/peers/parquet_file.py in turn, several times for each file.
#include <algorithm>
#include <string>
#include <vector>

#include "postern/owner/arrow_files.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

/// c0 ... c7 hold "level-0", "level-1", ...; c8 ... c13 whole numbers from 0; c14 whole numbers that are
/// nearly all different, and c15 amounts of money.
model::Schema made_up_columns() {
  const std::vector<std::uint32_t> sizes = {9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2};
  constexpr std::size_t kTexts = 8;
  std::vector<model::Column> columns;
  const auto add = [&](const model::Values& values) -> model::Column& {
    return columns.emplace_back("c" + std::to_string(columns.size()), values);
  };
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    model::Categories labels;
    for (std::uint32_t level = 0; level < sizes[c]; ++level)
      labels.labels.push_back("level-" + std::to_string(level));
    if (c < kTexts) add(labels).outside = model::MapTo{0};
    if (c >= kTexts) add(model::IntegerRange{0, sizes[c] - 1, {}});
  }
  add(model::IntegerRange{0, 1'500'000, {50'000, 100'000, 200'000, 300'000, 500'000, 750'000, 1'000'000}});
  add(model::RealRange{0, 1'000'000, 100, {10'000, 20'000, 30'000, 40'000, 60'000, 80'000, 120'000}});
  return model::Schema(columns);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRuns = 3;  // the first of them warms up
  if (argc != 3) return 64;
  const model::Schema schema = made_up_columns();
  std::vector<std::string> names;
  for (const model::Column& column : schema.columns()) names.push_back(column.name);
  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const double start = bench::cpu_seconds();
    owner::ArrowFiles file(argv[1], std::nullopt, schema, names, std::nullopt, 1);
    const owner::Records records = std::move(file).read();
    times.push_back(bench::cpu_seconds() - start);
    if (records.rows() != 10'000'000) return 1;
  }
  report.add(argv[2], *std::min_element(times.begin() + 1, times.end()), "CPU s");
}
