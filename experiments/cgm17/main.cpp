#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "command.hpp"
#include "figures.hpp"

// experiment_cgm17 fig1a|fig1b|fig1c|fig2|fig3a|fig3b --out DIR [--quick] [--seed S] [--threads T]
//   [--only PART] [--n N]
// The experiments of Bernstein et al. 2017. Called by experiments/run.

namespace postern::cgm17 {
namespace {

void run(int argc, char** argv) {
  const experiments::Command command =
      experiments::read_command(argc, argv, "fig1a|fig1b|fig1c|fig2|fig3a|fig3b", {"--only", "--n"});
  const std::string& what = command.what;
  const std::filesystem::path& out = command.out;
  const Plan plan{command.quick, command.seed, command.threads, command.only, command.n};
  if (what == "fig1a") return write_errors(out, plan);
  if (what == "fig1b") return write_projection(out, plan);
  if (what == "fig1c") return write_ridges(out, plan);
  if (what == "fig2") return write_divergences(out, plan);
  if (what == "fig3a") return write_marginals(out, plan);
  write_mobility(out, plan);
}

}  // namespace
}  // namespace postern::cgm17

int main(int argc, char** argv) {
  try {
    postern::cgm17::run(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_cgm17: %s\n", error.what());
    return 64;
  }
}
