// All 91 two-way tables of 14 coded columns with the sizes of a discretised Adult, 10^7 rows, one thread.
#include "postern/owner/count.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bench.hpp"

int main() {
  using namespace postern;
  const std::vector<std::uint32_t> levels = {9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2};
  constexpr std::size_t kRows = 10'000'000;
  std::vector<std::string> names;
  std::vector<model::Column> declared;
  std::vector<owner::CodedColumn> columns;
  std::mt19937_64 random(1);
  for (const std::uint32_t size : levels) {
    names.push_back("c" + std::to_string(names.size()));
    declared.push_back(
        {names.back(), model::IntegerRange{0, size - 1, {}}, model::MapTo{0}, model::Clamp{}, true});
    owner::Wiped<std::uint8_t> codes(kRows);
    for (auto& code : codes) code = static_cast<std::uint8_t>((random() >> 32) * size >> 32);
    columns.emplace_back(std::move(codes));
  }
  const model::Schema schema(declared);
  const owner::Records records(names, levels, std::move(columns), kRows);

  std::vector<std::vector<std::string>> pairs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) pairs.push_back({names[i], names[j]});
  }
  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    const auto tables = owner::count_tables(records, schema, pairs, 1);
    times.push_back(bench::cpu_seconds() - start);
    if (tables.size() != 91) return 1;
  }
  std::sort(times.begin(), times.end());
  report.add("count: 91 two-way tables, 10^7 rows", times[1], "CPU s");
}
