#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "census.hpp"
#include "report.hpp"

// experiment_zhang16 fig1|table1|fig2|all --out DIR [--quick] [--seed S] [--threads T]
// fig1 writes zhang16-accuracy.csv; table1 also zhang16-privacy.csv and zhang16-remark1.csv: the naive Bayes
// experiment of Zhang, Rubinstein & Dimitrakakis 2016. fig2 writes zhang16-census.csv, the regression. Called
// by experiments/run.

namespace postern::zhang16 {
namespace {

struct Command {
  std::string what;
  std::filesystem::path out;
  Plan plan;
  CensusPlan census;
};

Command read(int argc, char** argv) {
  Command out;
  const auto value = [&](int& i) -> std::string {
    if (i + 1 >= argc) throw std::invalid_argument(std::string(argv[i]) + " needs a value");
    return argv[++i];
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      out.plan.repeats = 100;
      out.plan.averaged_repeats = 20;
      out.plan.aware_repeats = 20;
      out.plan.stealth_draws = 50'000;
      out.census.splits = 3;
    } else if (word == "--out") {
      out.out = value(i);
    } else if (word == "--seed") {
      out.plan.seed = std::stoull(value(i));
    } else if (word == "--threads") {
      out.plan.threads = std::stoi(value(i));
    } else if (out.what.empty() && (word == "fig1" || word == "table1" || word == "fig2" || word == "all")) {
      out.what = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.what.empty() || out.out.empty())
    throw std::invalid_argument("needs fig1|table1|fig2|all and --out DIR");
  return out;
}

void tell(double done) {
  static int shown = -1;
  const int percent = static_cast<int>(100 * done);
  if (percent == shown) return;
  shown = percent;
  (void)std::fprintf(stderr, "\r%3d %%%s", percent, percent == 100 ? "\n" : "");
}

void run(const Command& command) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  std::filesystem::create_directories(command.out);
  if (command.what == "fig2" || command.what == "all") {
    CensusPlan census = command.census;
    census.seed = command.plan.seed;
    census.threads = command.plan.threads;
    write_census(command.out / "zhang16-census.csv", run_census(census, [](double) {}));
    if (command.what == "fig2") return;
  }
  const auto cells = run_plan(command.plan, [&](double done) {
    if (terminal) tell(done);
  });
  write_accuracy(command.out / "zhang16-accuracy.csv", cells);
  if (command.what == "fig1") return;
  write_privacy(command.out / "zhang16-privacy.csv", command.plan);
  write_remark_1(command.out / "zhang16-remark1.csv");
}

}  // namespace
}  // namespace postern::zhang16

int main(int argc, char** argv) {
  try {
    postern::zhang16::run(postern::zhang16::read(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_zhang16: %s\n", error.what());
    return 1;
  }
}
