#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "figures.hpp"

// experiment_cgm17 fig1a|fig1b|fig1c|fig2|fig3a|fig3b --out DIR [--quick] [--seed S] [--threads T] [--only
// PART] [--n N] The experiments of Bernstein et al. 2017. Called by experiments/run.

namespace postern::cgm17 {
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
    } else if (word == "--only") {
      plan.only = value(i);
    } else if (word == "--n") {
      plan.n = std::stoull(value(i));
    } else if (what.empty()) {
      what = word;
    } else {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.empty()) throw std::invalid_argument("needs fig1a|fig1b|fig1c|fig2|fig3a|fig3b and --out DIR");
  std::filesystem::create_directories(out);
  if (what == "fig1a") return write_errors(out, plan);
  if (what == "fig1b") return write_projection(out, plan);
  if (what == "fig1c") return write_ridges(out, plan);
  if (what == "fig2") return write_divergences(out, plan);
  if (what == "fig3a") return write_marginals(out, plan);
  if (what == "fig3b") return write_mobility(out, plan);
  throw std::invalid_argument("needs fig1a|fig1b|fig1c|fig2|fig3a|fig3b and --out DIR");
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
