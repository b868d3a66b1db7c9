// Exact posteriors of numbers with one unknown parameter: build, mean, sd and quantiles, 4000 draws. CPU
// seconds, one thread.

#include <utility>

#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "bench.hpp"
#include "number_setting.hpp"

namespace {

using namespace postern;

double posterior_and_draws(const infer::NumberProblem& problem) {
  const infer::NumberPosterior posterior(problem, 1);
  double sink = posterior.mean() + posterior.sd();
  for (const double p : {0.05, 0.5, 0.95}) sink += posterior.quantile(p);
  Rng rng(1, 0, Purpose::draws);
  std::int64_t n = 0;
  for (int i = 0; i < 4000; ++i) sink += posterior.draw({&n, 1}, rng);
  return sink + static_cast<double>(n);
}

void measure(const std::string& name, const bench::NumberSetting& setting, const std::string& bar,
             bench::Report& report) {
  const int repeats = setting.family == "binomial" ? 10 : 3;
  const infer::NumberProblem problem = bench::simulate(setting);
  double sink = posterior_and_draws(problem);  // tables of transforms are made once
  const double start = bench::cpu_seconds();
  for (int i = 0; i < repeats; ++i) sink += posterior_and_draws(problem);
  const double seconds = (bench::cpu_seconds() - start) / repeats;
  volatile double keep = sink;
  (void)keep;
  report.add("exact/" + name, seconds, "s", bar);
}

const model::Values kCounts = model::IntegerRange{0, 20, {}};
const model::Values kReals = model::RealRange{0, 10, Rational(1, 10), {}};
const model::Values kPositive = model::RealRange{Rational(1), 10, Rational(1, 10), {}};
const model::Values kSigned = model::RealRange{-5, 5, Rational(1, 10), {}};

/// The families, with priors that put their records into those columns.
const std::vector<bench::NumberSetting> kFamilies{
    {"poisson", {}, {8, 2}, kCounts, 0, 1},
    {"geometric", {}, {4, 8}, kCounts, 0, 1},
    {"negative-binomial", {3}, {6, 6}, kCounts, 0, 1},
    {"exponential", {}, {4, 8}, kReals, 0, 1},
    {"gamma", {2}, {6, 6}, kReals, 0, 1},
    {"normal-mean", {2}, {0, 2}, kSigned, 0, 1},
    {"pareto", {1}, {6, 3}, kPositive, 0, 1},
    {"weibull", {Rational(3, 2)}, {4, 12}, kReals, 0, 1},
    {"rayleigh", {}, {4, 16}, kReals, 0, 1},
    {"half-normal", {}, {4, 16}, kReals, 0, 1},
    {"maxwell", {}, {4, 16}, kReals, 0, 1},
};

/// Records of 10 trials, and of one (Bernoulli).
void measure_binomial(const std::string& only, bench::Report& report) {
  for (const auto& [family, trials] : {std::pair{"bernoulli", 1L}, std::pair{"binomial", 10L}}) {
    if (std::string(family).find(only) == std::string::npos) continue;
    for (const bool latent : {false, true}) {
      for (const auto& [epsilon, value] :
           {std::pair{"1", 1.0}, std::pair{"0.1", 0.1}, std::pair{"0.01", 0.01}}) {
        const bench::NumberSetting setting{"binomial", {trials}, {2, 3}, model::IntegerRange{0, trials, {}},
                                           10'000,     value,    latent};
        measure(std::string(latent ? "private-n/" : "") + family + ",n=1e4,eps=" + epsilon, setting,
                "< 0.005", report);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  bench::Report report;
  measure_binomial(only, report);
  for (bench::NumberSetting setting : kFamilies) {
    if (setting.family.find(only) == std::string::npos) continue;
    for (const std::size_t n : {std::size_t{100}, std::size_t{10'000}}) {
      for (const bool latent : {false, true}) {
        setting.n = n;
        setting.latent = latent;
        measure((latent ? "private-n/" : "") + setting.family + (n == 100 ? ",n=100" : ",n=1e4"), setting,
                "< 0.2", report);
      }
    }
    // Few records, each of which is seen through the noise: the hardest.
    setting.n = 30;
    setting.epsilon = 5;
    measure("private-n/" + setting.family + ",n=30,eps=5", setting, "< 0.2", report);
  }
  return 0;
}
