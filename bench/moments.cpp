// All sums and sums of products of ten coded columns of numbers, as a regression measures them: 10^7 rows,
// one thread, whole numbers.
#include "postern/model/statistic/moments.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "postern/owner/measure.hpp"

#include "bench.hpp"

int main() {
  using namespace postern;
  constexpr std::size_t kRows = 10'000'000;
  constexpr std::uint32_t kLevels = 1001;
  std::vector<std::string> names;
  std::vector<model::Column> declared;
  std::vector<owner::CodedColumn> columns;
  std::mt19937_64 random(1);
  for (int c = 0; c < 10; ++c) {
    names.push_back("c" + std::to_string(c));
    declared.push_back(
        {names.back(), model::IntegerRange{0, kLevels - 1, {}}, model::MapTo{0}, model::Clamp{}, true});
    owner::Wiped<std::uint16_t> codes(kRows);
    for (auto& code : codes) code = static_cast<std::uint16_t>((random() >> 32) * kLevels >> 32);
    columns.emplace_back(std::move(codes));
  }
  const model::Schema schema(declared);
  const owner::Records records(names, std::vector<std::uint32_t>(names.size(), kLevels), std::move(columns),
                               kRows);
  model::Measurement measurement;
  for (const model::MomentPart part :
       {model::MomentPart::x, model::MomentPart::y, model::MomentPart::x_squares, model::MomentPart::y_square,
        model::MomentPart::xx, model::MomentPart::xy}) {
    model::Moments moments{{names.begin(), names.end() - 1}, names.back(), model::kMomentSteps, part};
    measurement.blocks.push_back({moments, {}, 1});
  }
  bench::Report report;
  std::vector<double> times;
  for (int run = 0; run < 3; ++run) {
    const double start = bench::cpu_seconds();
    const auto blocks = owner::measure(records, schema, measurement, 1);
    times.push_back(bench::cpu_seconds() - start);
    if (blocks.size() != 6) return 1;
  }
  std::sort(times.begin(), times.end());
  report.add("moments: products of 10 columns, 10^7 rows", times[1], "CPU s");
}
