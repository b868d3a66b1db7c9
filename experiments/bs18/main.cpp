#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "command.hpp"
#include "figure.hpp"

// experiment_bs18 a|b|c|all --out DIR [--quick] [--seed S] [--threads T] [--bounds prior|truth]
//   [--only binomial|multinomial|exponential]
// Writes fig1a.csv, fig1b.csv, fig1c.csv: Figure 1 of Bernstein & Sheldon 2018. Called by experiments/run.

namespace postern::bs18 {
namespace {

using experiments::Command;

BoundsFrom bounds_from(const Command& command) {
  if (command.bounds == "truth") return BoundsFrom::truth;
  if (command.bounds.empty() || command.bounds == "prior") return BoundsFrom::prior;
  throw std::invalid_argument("--bounds is prior or truth");
}

bool shown_in_b(const Setting& setting) { return setting.n == 1000 && setting.epsilon < 0.05; }

bool flat(const Setting& setting) { return setting.prior[0] == 1; }

bool wanted(const Setting& setting, const Command& command) {
  if (command.what == "b" && !shown_in_b(setting)) return false;
  if (command.what == "c" && setting.model == Model::exponential) return false;
  if (command.quick && flat(setting)) return false;
  return command.only.empty() || command.only == setting.model_name();
}

std::vector<Setting> settings(const Command& command) {
  std::vector<Setting> out;
  const BoundsFrom bounds = bounds_from(command);
  std::uint32_t place = 0;
  const auto add = [&](Model model, const std::vector<double>& prior) {
    for (const std::size_t n : {100, 1000, 10'000}) {
      for (const double epsilon : {0.01, 0.1}) {
        const Setting setting{model, prior, bounds, n, epsilon, place++};
        if (wanted(setting, command)) out.push_back(setting);
      }
    }
  };
  add(Model::binomial, {10, 10});
  add(Model::binomial, {1, 1});
  add(Model::multinomial, {5, 5, 5});
  add(Model::multinomial, {1, 1, 1});
  add(Model::exponential, {8, 2});
  return out;
}

Plan plan(const Command& command) {
  Plan out;
  out.settings = settings(command);
  if (command.quick) {
    out.effort.binomial_trials = 120;
    out.effort.trials = 120;
    out.effort.chain = {500, 1000};
    out.effort.exact_number_trials = 40;
  }
  out.effort.utility = command.what == "c" || command.what == "all";
  out.seed = command.seed;
  out.threads = command.threads;
  return out;
}

void run(const Command& command) {
  const auto results = run_plan(plan(command), experiments::tell_progress);
  const auto asked = [&](const char* figure) { return command.what == figure || command.what == "all"; };
  if (asked("a")) write_figure_a(command.out / "fig1a.csv", results, command.seed);
  if (asked("b")) {
    std::vector<SettingResult> shown;
    for (const auto& result : results) {
      if (shown_in_b(result.setting)) shown.push_back(result);
    }
    write_figure_b(command.out / "fig1b.csv", shown);
  }
  if (asked("c")) {
    std::vector<SettingResult> shown;
    for (const auto& result : results) {
      if (result.setting.model != Model::exponential) shown.push_back(result);
    }
    write_figure_c(command.out / "fig1c.csv", shown);
  }
}

}  // namespace
}  // namespace postern::bs18

int main(int argc, char** argv) {
  try {
    postern::bs18::run(postern::experiments::read_command(argc, argv, "a|b|c|all", {"--only", "--bounds"}));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_bs18: %s\n", error.what());
    return 1;
  }
}
