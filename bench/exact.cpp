// Exact Dirichlet-multinomial posteriors: build, exact mean and sd of every cell, 4000 draws. CPU seconds,
// one thread.

#include <string>
#include <vector>

#include <sys/resource.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

struct Setting {
  std::string name;
  std::size_t cells;
  std::int64_t n;
  double lambda;  ///< of the discrete Laplace noise: epsilon / 2 (replace-one), epsilon (add-remove)
  bool latent;
  int repeats;
  std::string bar;
};

infer::CountProblem simulate(const Setting& setting) {
  Rng rng(2026, static_cast<std::uint32_t>(setting.cells), Purpose::simulation);
  const std::vector<double> alpha(setting.cells, 1.0);
  std::vector<double> theta(setting.cells);
  std::vector<std::int64_t> counts(setting.cells);
  draw_dirichlet(alpha, theta, rng);
  draw_multinomial(setting.n, theta, counts, rng);
  const release::DiscreteLaplace law(setting.lambda);
  infer::CountProblem problem{alpha, {}, infer::KnownTotal{setting.n}};
  for (const std::int64_t count : counts) {
    problem.noisy_values.push_back(
        {{static_cast<double>(count) + static_cast<double>(law.simulate(rng)), law}});
  }
  if (setting.latent) problem.total = infer::LatentTotal{2 * setting.n};
  return problem;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Build, mean and sd of every cell, 4000 draws.
double posterior_and_draws(const infer::CountProblem& problem) {
  const infer::CountPosterior posterior(problem, std::size_t{4} << 30, 1);
  double sink = 0;
  for (std::size_t k = 0; k < posterior.cells(); ++k) sink += posterior.mean(k) + posterior.sd(k);
  std::vector<double> theta(posterior.cells());
  std::vector<std::int64_t> counts(posterior.cells());
  Rng rng(1, 0, Purpose::draws);
  for (int i = 0; i < 4000; ++i) sink += static_cast<double>(posterior.draw(theta, counts, rng)) + theta[0];
  return sink;
}

double quantiles(const infer::CountProblem& problem) {
  const infer::CountPosterior posterior(problem, std::size_t{4} << 30, 1);
  double sink = posterior.mean(0);
  const double start = bench::cpu_seconds();
  for (std::size_t k = 0; k < posterior.cells(); ++k) {
    for (const double p : {0.05, 0.5, 0.95}) sink += posterior.quantile(k, p);
  }
  volatile double keep = sink;
  (void)keep;
  return bench::cpu_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Setting> settings{
      {"exact/K=2,n=1e4,eps=1", 2, 10'000, 0.5, false, 50, "< 0.005"},
      {"exact/K=2,n=1e4,eps=0.1", 2, 10'000, 0.05, false, 50, "< 0.005"},
      {"exact/K=2,n=1e4,eps=0.01", 2, 10'000, 0.005, false, 50, "< 0.005"},
      {"exact/K=3,n=1e4,eps=1", 3, 10'000, 0.5, false, 50, ""},
      {"exact/K=3,n=1e4,eps=0.1", 3, 10'000, 0.05, false, 50, ""},
      {"exact/K=3,n=1e4,eps=0.01", 3, 10'000, 0.005, false, 20, ""},
      {"exact/K=100,n=1e6,eps=0.01", 100, 1'000'000, 0.005, false, 1, "< 5"},
      {"exact/K=1000,n=1e7,eps=1", 1000, 10'000'000, 0.5, false, 1, "< 5"},
      {"exact/private-n/K=2,n=1e4,eps=1", 2, 10'000, 1, true, 20, "< 0.005"},
      {"exact/private-n/K=2,n=1e4,eps=0.1", 2, 10'000, 0.1, true, 20, "< 0.005"},
      {"exact/private-n/K=2,n=1e4,eps=0.01", 2, 10'000, 0.01, true, 20, "< 0.005"},
      {"exact/private-n/K=10,n=1e4,eps=0.1", 10, 10'000, 0.1, true, 5, ""},
      {"exact/private-n/K=100,n=1e6,eps=0.1", 100, 1'000'000, 0.1, true, 1, ""},
  };
  const std::string only = argc > 1 ? argv[1] : "";
  bench::Report report;
  for (const Setting& setting : settings) {
    if (setting.name.find(only) == std::string::npos) continue;
    const infer::CountProblem problem = simulate(setting);
    double sink = posterior_and_draws(problem);
    const double start = bench::cpu_seconds();
    for (int i = 0; i < setting.repeats; ++i) sink += posterior_and_draws(problem);
    const double seconds = (bench::cpu_seconds() - start) / setting.repeats;
    volatile double keep = sink;
    (void)keep;
    report.add(setting.name, seconds, "s", setting.bar);
    report.add(setting.name + "/quantiles", quantiles(problem), "s");
    report.add(setting.name + "/peak-memory", peak_megabytes(), "MiB",
               setting.cells == 100 && !setting.latent ? "< 500" : "");
  }
  return 0;
}
