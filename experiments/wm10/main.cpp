#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "axis.hpp"
#include "coin.hpp"
#include "regression.hpp"

// experiment_wm10 fig2|tables|fig3a|fig3b|fig4 --out DIR [--quick] [--seed S] [--threads T]
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
    } else if (what.empty()) {
      what = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.empty()) throw std::invalid_argument("needs fig2|tables|fig3a|fig3b|fig4 and --out DIR");
  std::filesystem::create_directories(out);
  if (what == "fig2") return write_coin(out, plan.quick);
  if (what == "tables") return write_tables(out, plan);
  if (what == "fig3a") return write_paths(out, plan);
  if (what == "fig3b") return write_public(out, plan);
  if (what == "fig4") return write_axes(out, plan);
  throw std::invalid_argument("needs fig2|tables|fig3a|fig3b|fig4 and --out DIR");
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
