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

constexpr const char* kCells =
    "heuristic,heuristic_sd,expected,expected_sd,vote,vote_sd,log_likelihood,log_likelihood_sd\n";

}  // namespace

void write_tables(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "wm10-tables.csv");
  out << "data,epsilon,runs,benchmark," << kCells;
  std::uint32_t stream = 0;
  for (const char* name : {"SYNTH", "CM1", "CM2"}) {
    Rng rng(plan.seed, 900 + stream, Purpose::simulation);
    const Dataset data = make_dataset(name, plan.quick, rng);
    const std::size_t runs = plan.quick ? 2 : (data.name == "SYNTH" ? 50 : 16);
    const std::size_t draws = plan.quick ? 100 : 300;
    for (const double epsilon : {0.1, 1.0}) {
      out << name << ',' << epsilon << ',' << runs << ',' << benchmark(data);
      write_cell(out, repeat(data, {.epsilon = epsilon, .draws = draws}, runs, plan, ++stream));
    }
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
