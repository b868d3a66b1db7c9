#include <cstdio>
#include <exception>

#include "census.hpp"
#include "command.hpp"
#include "report.hpp"

// experiment_zhang16 fig1|table1|fig2|all --out DIR [--quick] [--seed S] [--threads T]
// fig1 writes zhang16-accuracy.csv; table1 also zhang16-privacy.csv and zhang16-remark1.csv: the naive Bayes
// experiment of Zhang, Rubinstein & Dimitrakakis 2016. fig2 writes zhang16-census.csv, the regression. Called
// by experiments/run.

namespace postern::zhang16 {
namespace {

Plan plan_of(const experiments::Command& command) {
  Plan plan;
  if (command.quick) {
    plan.repeats = 100;
    plan.averaged_repeats = 20;
    plan.aware_repeats = 20;
    plan.stealth_draws = 50'000;
  }
  plan.seed = command.seed;
  plan.threads = command.threads;
  return plan;
}

CensusPlan census_of(const experiments::Command& command) {
  CensusPlan census;
  if (command.quick) census.splits = 3;
  census.seed = command.seed;
  census.threads = command.threads;
  return census;
}

void run(const experiments::Command& command) {
  if (command.what == "fig2" || command.what == "all") {
    write_census(command.out / "zhang16-census.csv", run_census(census_of(command), [](double) {}));
    if (command.what == "fig2") return;
  }
  const Plan plan = plan_of(command);
  const auto cells = run_plan(plan, experiments::tell_progress);
  write_accuracy(command.out / "zhang16-accuracy.csv", cells);
  if (command.what == "fig1") return;
  write_privacy(command.out / "zhang16-privacy.csv", plan);
  write_remark_1(command.out / "zhang16-remark1.csv");
}

}  // namespace
}  // namespace postern::zhang16

int main(int argc, char** argv) {
  try {
    postern::zhang16::run(postern::experiments::read_command(argc, argv, "fig1|table1|fig2|all"));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_zhang16: %s\n", error.what());
    return 1;
  }
}
