// Chains on the latent moments of a regression: effective draws of the worst coefficient a CPU second,
// warm-up and the search for a start included. Records are made up at the prior.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/infer/regression/chain.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

/// Moments of n records with independent features, slopes of 0.2 and noise of 0.3, seen as the owner would
/// release them for epsilon: Laplace noise of one scale on all of them.
infer::RegressionProblem problem_of(std::size_t features, std::int64_t n, double epsilon, Rng& rng) {
  infer::RegressionProblem problem;
  problem.features = features;
  problem.prior = infer::default_regression_prior(features);
  problem.total = infer::KnownTotal{n};
  const std::size_t width = problem.width();
  std::vector<double> moments(width * width);
  std::vector<double> w(width);
  for (std::int64_t r = 0; r < n; ++r) {
    w[0] = 1;
    w[width - 1] = 0.1 + 0.3 * draw_normal(rng);
    for (std::size_t i = 1; i <= features; ++i) {
      w[i] = 0.3 * draw_normal(rng);
      w[width - 1] += 0.2 * w[i];
    }
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) moments[i * width + j] += w[i] * w[j];
    }
  }
  const double sensitivity = static_cast<double>(width * (width + 1)) / 2;
  const infer::MomentNoise noise{infer::MomentNoise::Shape::laplace, sensitivity / epsilon};
  for (std::size_t i = 1; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double drawn = noise.scale * (draw_exponential(rng) - draw_exponential(rng));
      problem.moments.push_back({i, j, moments[i * width + j] + drawn, noise});
    }
  }
  return problem;
}

double least_ess(const infer::ChainRun& run, std::size_t quantities, std::size_t draws) {
  double least = 1e300;
  for (std::size_t q = 0; q < quantities; ++q) {
    std::vector<std::span<const double>> chains;
    for (const auto& chain : run.draws) chains.emplace_back(chain.data() + q * draws, draws);
    least = std::min(least, bulk_ess(ChainDraws(chains)));
  }
  return least;
}

}  // namespace

int main() {
  struct Case {
    std::size_t features;
    std::int64_t n;
    double epsilon;
    const char* bar;
  };
  bench::Report report;
  Rng rng(1, 0, Purpose::test);
  for (const Case& one : {Case{1, 1000, 1, ">= 10000"}, Case{3, 1000, 1, ">= 4000"},
                          Case{10, 1000, 1, ">= 500"}, Case{10, 10'000, 10, ""}}) {
    const infer::RegressionProblem problem = problem_of(one.features, one.n, one.epsilon, rng);
    infer::DriverOptions options;
    options.threads = 1;
    options.draws = one.features < 10 ? 20'000 : 2000;
    const double start = bench::cpu_seconds();
    const infer::ChainRun run = infer::draw_regression(problem, options, {});
    const double seconds = bench::cpu_seconds() - start;
    const double ess = least_ess(run, one.features + 1, options.draws);
    const std::string name =
        (std::ostringstream() << "regression/d=" << one.features << ",n=" << one.n << ",eps=" << one.epsilon)
            .str();
    report.add(name, ess / seconds, "effective draws a CPU second", one.bar);
    report.add(name + ",seconds", seconds, "s");
    report.add(name + ",warm-up", static_cast<double>(run.warmup), "steps");
    report.add(name + ",thinning", static_cast<double>(run.thinning), "steps");
  }
}
