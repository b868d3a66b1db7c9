// The exact posterior of one root and its leaves (naive Bayes): build and 1000 draws. CPU seconds.

#include <string>
#include <vector>

#include <sys/resource.h>

#include "postern/core/draw.hpp"
#include "postern/infer/network/star_posterior.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

struct Setting {
  std::string name;
  std::uint32_t classes;
  std::vector<std::uint32_t> leaves;
  std::int64_t n;
  double epsilon;  ///< of all tables together
  bool gaussian;   ///< as many standard deviations as the Laplace noise of the same budget
  bool latent;
  int repeats;
  std::string bar;
};

infer::NetworkProblem simulate(const Setting& setting) {
  Rng rng(2026, 0, Purpose::simulation);
  infer::NetworkProblem problem;
  problem.sizes = {setting.classes};
  problem.sizes.insert(problem.sizes.end(), setting.leaves.begin(), setting.leaves.end());
  problem.total = infer::KnownTotal{setting.n};
  if (setting.latent) problem.total = infer::LatentTotal{2 * setting.n, 0};
  const double tables = static_cast<double>(problem.sizes.size());
  const double lambda = setting.epsilon / tables / (setting.latent ? 1 : 2);
  // Gaussian: rho = epsilon^2 / 2 shared equally.
  const double sigma2 = (setting.latent ? 1 : 2) * tables / (setting.epsilon * setting.epsilon);
  const release::NoiseLaw law = setting.gaussian ? release::NoiseLaw(release::DiscreteGaussian(sigma2))
                                                 : release::NoiseLaw(release::DiscreteLaplace(lambda));
  std::vector<std::int64_t> classes(setting.classes);
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    infer::NetworkFamily family;
    family.variables = v == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{0, v};
    for (std::uint32_t row = 0; row < (v == 0 ? 1 : setting.classes); ++row) {
      std::vector<double> theta(problem.sizes[v]);
      std::vector<std::int64_t> counts(problem.sizes[v]);
      draw_dirichlet(std::vector<double>(theta.size(), v == 0 ? 10.0 : 1.0), theta, rng);
      draw_multinomial(v == 0 ? setting.n : classes[row], theta, counts, rng);
      if (v == 0) classes = counts;
      for (const std::int64_t count : counts) {
        const auto noise = std::visit([&](const auto& one) { return one.simulate(rng); }, law);
        family.alpha.push_back(0.5);
        family.noisy_values.push_back({{static_cast<double>(count) + static_cast<double>(noise), law}});
      }
    }
    problem.families.push_back(std::move(family));
  }
  return problem;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Times {
  double build = 0;
  double draws = 0;
  double means = 0;
};

Times measure(const infer::NetworkProblem& problem) {
  Times times;
  const double start = bench::cpu_seconds();
  const infer::StarPosterior posterior(problem, std::size_t{8} << 30, 1);
  const double built = bench::cpu_seconds();
  std::vector<double> theta(posterior.cells());
  Rng rng(1, 0, Purpose::draws);
  double sink = 0;
  for (int i = 0; i < 1000; ++i) sink += static_cast<double>(posterior.draw(theta, rng)) + theta[0];
  const double drawn = bench::cpu_seconds();
  for (std::size_t k = 0; k < posterior.cells(); ++k) sink += posterior.mean(k) + posterior.sd(k);
  times = {built - start, drawn - built, bench::cpu_seconds() - drawn};
  volatile double keep = sink;
  (void)keep;
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::uint32_t> sixteen(16, 2);
  const std::vector<std::uint32_t> hundred(100, 2);
  const std::vector<Setting> settings{
      {"star/16-features,n=50,eps=1", 2, sixteen, 50, 1, false, false, 100, "<= 0.005"},
      {"star/private-n/16-features,n=50,eps=1", 2, sixteen, 50, 1, false, true, 100, ""},
      {"star/100-features,10-classes,n=1e5,eps=1", 10, hundred, 100'000, 1, false, false, 1, "<= 5"},
      {"star/100-features,10-classes,n=1e5,eps=1,gaussian", 10, hundred, 100'000, 1, true, false, 1, ""},
      {"star/private-n/100-features,10-classes,n=1e5,eps=1", 10, hundred, 100'000, 1, false, true, 1, ""},
      {"star/100-ternary-features,10-classes,n=1e5,eps=1", 10, std::vector<std::uint32_t>(100, 3), 100'000, 1,
       false, false, 1, ""},
      {"star/8-features-of-100-levels,n=1e4,eps=1", 2, std::vector<std::uint32_t>(8, 100), 10'000, 1, false,
       false, 1, ""},
  };
  const std::string only = argc > 1 ? argv[1] : "";
  bench::Report report;
  for (const Setting& setting : settings) {
    if (setting.name.find(only) == std::string::npos) continue;
    const infer::NetworkProblem problem = simulate(setting);
    Times sum;
    for (int i = 0; i < setting.repeats; ++i) {
      const Times once = measure(problem);
      sum = {sum.build + once.build, sum.draws + once.draws, sum.means + once.means};
    }
    const double repeats = setting.repeats;
    report.add(setting.name, (sum.build + sum.draws) / repeats, "s", setting.bar);
    report.add(setting.name + "/draws", sum.draws / repeats, "s");
    report.add(setting.name + "/means", sum.means / repeats, "s");
    report.add(setting.name + "/peak-memory", peak_megabytes(), "MiB");
  }
  return 0;
}
