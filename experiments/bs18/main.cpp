#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "figure.hpp"

// experiment_bs18 a|b|c|all --out DIR [--quick] [--seed S] [--threads T] [--bounds prior|truth]
//   [--only binomial|multinomial|exponential]
// Writes fig1a.csv, fig1b.csv, fig1c.csv: Figure 1 of Bernstein & Sheldon 2018. Called by experiments/run.

namespace postern::bs18 {
namespace {

struct Command {
  std::string figure;
  std::filesystem::path out;
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;
  BoundsFrom bounds = BoundsFrom::prior;
  std::string only;
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
      out.quick = true;
    } else if (word == "--out") {
      out.out = value(i);
    } else if (word == "--seed") {
      out.seed = std::stoull(value(i));
    } else if (word == "--threads") {
      out.threads = std::stoi(value(i));
    } else if (word == "--only") {
      out.only = value(i);
    } else if (word == "--bounds") {
      const std::string from = value(i);
      if (from != "prior" && from != "truth") throw std::invalid_argument("--bounds is prior or truth");
      out.bounds = from == "prior" ? BoundsFrom::prior : BoundsFrom::truth;
    } else if (out.figure.empty() && (word == "a" || word == "b" || word == "c" || word == "all")) {
      out.figure = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.figure.empty() || out.out.empty()) throw std::invalid_argument("needs a|b|c|all and --out DIR");
  return out;
}

bool shown_in_b(const Setting& setting) { return setting.n == 1000 && setting.epsilon < 0.05; }

bool flat(const Setting& setting) { return setting.prior[0] == 1; }

bool wanted(const Setting& setting, const Command& command) {
  if (command.figure == "b" && !shown_in_b(setting)) return false;
  if (command.figure == "c" && setting.model == Model::exponential) return false;
  if (command.quick && flat(setting)) return false;
  return command.only.empty() || command.only == setting.model_name();
}

std::vector<Setting> settings(const Command& command) {
  std::vector<Setting> out;
  std::uint32_t place = 0;
  const auto add = [&](Model model, const std::vector<double>& prior) {
    for (const std::size_t n : {100, 1000, 10'000}) {
      for (const double epsilon : {0.01, 0.1}) {
        const Setting setting{model, prior, command.bounds, n, epsilon, place++};
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
  out.effort.utility = command.figure == "c" || command.figure == "all";
  out.seed = command.seed;
  out.threads = command.threads;
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
  const auto results = run_plan(plan(command), [&](double done) {
    if (terminal) tell(done);
  });
  const auto asked = [&](const char* figure) { return command.figure == figure || command.figure == "all"; };
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
    postern::bs18::run(postern::bs18::read(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_bs18: %s\n", error.what());
    return 1;
  }
}
