#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "coin.hpp"
#include "command.hpp"
#include "principal.hpp"
#include "regression.hpp"

// experiment_wm10 fig2|table1|table2|table3|tables|fig3a|fig3b|fig4 --out DIR [--data DIR] [--quick]
//                 [--seed S] [--threads T]
// The experiments of Williams and McSherry 2010. Called by experiments/run.

namespace postern::wm10 {
namespace {

void run(int argc, char** argv) {
  const experiments::Command command =
      experiments::read_command(argc, argv, "fig2|table1|table2|table3|tables|fig3a|fig3b|fig4", {"--data"});
  const std::string& what = command.what;
  const std::filesystem::path& out = command.out;
  const Plan plan{command.quick, command.seed, command.threads, command.data};
  if (what == "fig2") return write_coin(out, plan.quick);
  if (what == "table1") return write_datasets(out, plan);
  if (what == "table2" || what == "tables") write_table(out, plan, 0.1);
  if (what == "table3" || what == "tables") write_table(out, plan, 1);
  if (what.rfind("table", 0) == 0) return;
  if (what == "fig3a") return write_paths(out, plan);
  if (what == "fig3b") return write_public(out, plan);
  if (what == "fig4") return write_principal(out, plan);
}

}  // namespace
}  // namespace postern::wm10

int main(int argc, char** argv) {
  try {
    postern::wm10::run(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_wm10: %s\n", error.what());
    return 64;
  }
}
