#include <algorithm>
#include <cmath>
#include <fstream>

#include "postern/core/parallel.hpp"

#include "regression.hpp"

namespace postern::wm10 {
namespace {

/// Mean and deviation of the runs of one cell.
struct Spread {
  double mean = 0;
  double sd = 0;
};

Spread spread_of(const std::vector<Execution>& runs, double Execution::*member) {
  Spread out;
  for (const Execution& run : runs) out.mean += run.*member / static_cast<double>(runs.size());
  for (const Execution& run : runs) out.sd += (run.*member - out.mean) * (run.*member - out.mean);
  out.sd = std::sqrt(out.sd / std::max(1.0, static_cast<double>(runs.size()) - 1));
  return out;
}

std::vector<Execution> repeat(const Dataset& data, const Ascent& ascent, std::size_t runs, const Plan& plan,
                              std::uint32_t stream) {
  std::vector<Execution> out(runs);
  parallel_for(runs, plan.threads, [&](std::size_t r) {
    Rng rng(plan.seed, stream * 1000 + static_cast<std::uint32_t>(r), Purpose::simulation);
    out[r] = execute(data, ascent, rng);
  });
  return out;
}

void write_cell(std::ofstream& out, const std::vector<Execution>& runs) {
  for (double Execution::*member :
       {&Execution::heuristic, &Execution::expected, &Execution::vote, &Execution::log_likelihood}) {
    const Spread spread = spread_of(runs, member);
    out << ',' << spread.mean << ',' << spread.sd;
  }
  out << '\n';
}

/// Of table 1; the same whichever table is written.
std::vector<Dataset> all_datasets(const Plan& plan) {
  std::vector<Dataset> out;
  std::uint32_t stream = 900;
  for (const char* name : {"SYNTH", "CM1", "CM2"}) {
    Rng rng(plan.seed, stream++, Purpose::simulation);
    out.push_back(make_dataset(name, plan.quick, rng));
  }
  for (const char* name : {"PIMA", "ADULT"}) {
    Rng rng(plan.seed, stream++, Purpose::simulation);
    if (auto data = read_dataset(name, plan.data, plan.quick, rng)) out.push_back(std::move(*data));
  }
  return out;
}

constexpr const char* kCells =
    "heuristic,heuristic_sd,expected,expected_sd,vote,vote_sd,log_likelihood,log_likelihood_sd\n";

}  // namespace

void write_datasets(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "wm10-table1.csv");
  out << "data,records,dimensions,positive,test_records\n";
  for (const Dataset& data : all_datasets(plan)) {
    const auto positive = std::count(data.learn.y.begin(), data.learn.y.end(), true);
    out << data.name << ',' << data.learn.size() << ',' << data.learn.dimensions << ',' << positive << ','
        << data.test.size() << '\n';
  }
}

void write_table(const std::filesystem::path& folder, const Plan& plan, double epsilon) {
  const bool sharp = epsilon == 1;
  std::ofstream out(folder / (sharp ? "wm10-table3.csv" : "wm10-table2.csv"));
  out << "data,epsilon,runs,benchmark," << kCells;
  std::uint32_t stream = sharp ? 50 : 0;
  for (const Dataset& data : all_datasets(plan)) {
    const bool small = data.learn.size() <= 1000;
    const std::size_t runs = plan.quick ? (small ? 8 : 2) : (small ? 50 : 16);
    const std::size_t draws = plan.quick ? 100 : 300;
    out << data.name << ',' << epsilon << ',' << runs << ',' << benchmark(data);
    write_cell(out, repeat(data, {.epsilon = epsilon, .draws = draws}, runs, plan, ++stream));
  }
}

void write_paths(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "wm10-fig3a.csv");
  out << "epsilon_a_round,rounds,epsilon,runs," << kCells;
  Rng rng(plan.seed, 950, Purpose::simulation);
  const Dataset data = make_dataset("CM2", plan.quick, rng);
  const std::size_t runs = plan.quick ? 2 : 8;
  std::uint32_t stream = 100;
  for (const double a_round : {0.005, 0.01, 0.02, 0.05, 0.1}) {
    for (const std::size_t rounds : {1U, 2U, 5U, 10U, 20U}) {
      if (plan.quick && rounds > 5) continue;
      const double epsilon = a_round * static_cast<double>(rounds);
      out << a_round << ',' << rounds << ',' << epsilon << ',' << runs;
      write_cell(out,
                 repeat(data, {.epsilon = epsilon, .rounds = rounds, .draws = 200}, runs, plan, ++stream));
    }
  }
}

void write_public(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "wm10-fig3b.csv");
  out << "public_rows,epsilon,runs,benchmark," << kCells;
  Rng rng(plan.seed, 960, Purpose::simulation);
  const Dataset data = make_dataset("SYNTH", plan.quick, rng);
  const double best = benchmark(data);
  const std::size_t runs = plan.quick ? 4 : 50;
  std::uint32_t stream = 200;
  for (const std::size_t rows : {0U, 5U, 10U, 20U, 50U, 100U, 200U}) {
    if (plan.quick && rows % 100 != 0) continue;
    out << rows << ",0.1," << runs << ',' << best;
    write_cell(out, repeat(data, {.epsilon = 0.1, .public_rows = rows}, runs, plan, ++stream));
  }
}

}  // namespace postern::wm10
