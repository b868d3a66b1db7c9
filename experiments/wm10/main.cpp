#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "coin.hpp"
#include "principal.hpp"
#include "regression.hpp"

// experiment_wm10 fig2|table1|table2|table3|tables|fig3a|fig3b|fig4 --out DIR [--data DIR] [--quick]
//                 [--seed S] [--threads T]
// The experiments of Williams and McSherry 2010. Called by experiments/run.

namespace postern::wm10 {
namespace {

void run(int argc, char** argv) {
  std::string what;
  std::filesystem::path out;
  Plan plan;
  const auto value = [&](int& i) -> std::string {
    if (i + 1 >= argc) throw std::invalid_argument(std::string(argv[i]) + " needs a value");
    return argv[++i];
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      plan.quick = true;
    } else if (word == "--out") {
      out = value(i);
    } else if (word == "--seed") {
      plan.seed = std::stoull(value(i));
    } else if (word == "--threads") {
      plan.threads = std::stoi(value(i));
    } else if (word == "--data") {
      plan.data = value(i);
    } else if (what.empty()) {
      what = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  constexpr const char* kNeeds = "needs fig2|table1|table2|table3|tables|fig3a|fig3b|fig4 and --out DIR";
  if (out.empty()) throw std::invalid_argument(kNeeds);
  std::filesystem::create_directories(out);
  if (what == "fig2") return write_coin(out, plan.quick);
  if (what == "table1") return write_datasets(out, plan);
  if (what == "table2" || what == "tables") write_table(out, plan, 0.1);
  if (what == "table3" || what == "tables") write_table(out, plan, 1);
  if (what.rfind("table", 0) == 0) return;
  if (what == "fig3a") return write_paths(out, plan);
  if (what == "fig3b") return write_public(out, plan);
  if (what == "fig4") return write_principal(out, plan);
  throw std::invalid_argument(kNeeds);
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
