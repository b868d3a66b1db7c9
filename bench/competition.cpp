// The marginals of all variables in problems of the inference competition of 2014: CPU seconds of one thread,
// reading left out, and the memory used against the forecast that is made before any table is.
//   bench_competition [--data DIR]    DIR/networks/uai2014; without it there is nothing to measure

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postern/graph/uai.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

constexpr int kRuns = 3;
constexpr double kLeastForecast = 1e7;  ///< bytes; below it, what is not a table is as large

struct Problem {
  graph::UaiNetwork network;
  graph::Evidence evidence;
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Problem> read_problems(const std::filesystem::path& folder) {
  std::vector<Problem> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".uai") continue;
    Problem problem{graph::parse_uai(text_of(entry.path())), {}};
    problem.evidence =
        graph::parse_uai_evidence(text_of(entry.path().string() + ".evid"), problem.network.sizes);
    out.push_back(std::move(problem));
  }
  return out;
}

/// Of a process that does nothing but this work.
template <class Work>
double peak_bytes(Work&& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
    throw std::runtime_error("a measured process failed");
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void measure(const std::vector<Problem>& problems, bench::Report& report) {
  std::vector<double> peaks;
  const double idle = peak_bytes([] {});
  for (const Problem& problem : problems) {
    const double peak = peak_bytes([&] { (void)graph::uai_marginals(problem.network, problem.evidence); });
    peaks.push_back(peak - idle);
  }
  double total = 0;
  double off = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    double least = 1e9;
    double forecast = 0;
    for (int run = 0; run < kRuns; ++run) {
      const double start = bench::cpu_seconds();
      forecast = graph::uai_marginals(problems[i].network, problems[i].evidence).forecast.bytes;
      least = std::min(least, bench::cpu_seconds() - start);
    }
    total += least;
    if (forecast > kLeastForecast) off = std::max(off, std::abs(peaks[i] / forecast - 1));
  }
  const std::string name = "competition: marginals of all " + std::to_string(problems.size()) + " problems";
  report.add(name, total, "s", "");
  report.add("competition: memory off its forecast", 100 * off, "%", "<= 20");
}

}  // namespace

int main(int count, char** arguments) {
  bench::Report report;
  if (count < 3 || std::string(arguments[1]) != "--data") return 0;
  const std::filesystem::path folder = std::filesystem::path(arguments[2]) / "networks" / "uai2014";
  if (exists(folder)) measure(read_problems(folder), report);
}
