// Data augmentation on latent records: nanoseconds of CPU a record and sweep, one thread, and effective draws
// of theta a second.

#include <array>
#include <string>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/infer/augment/record_chain.hpp"
#include "postern/model/number_family.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

struct Setting {
  std::string name;
  std::string family;
  std::vector<Rational> known;
  model::Hyper prior;
  model::Values values;
  std::size_t n;
  double epsilon;  ///< by replacement
  int sweeps;
  std::string bar;
};

infer::NumberProblem simulate(const Setting& setting) {
  const model::NumberFamily* family = model::find_number_family(setting.family);
  model::Column column;
  column.name = "x";
  column.values = setting.values;
  infer::NumberProblem problem;
  problem.law = family->law(setting.known);
  problem.parameters = family->parameters.size();
  problem.whole = family->whole;
  problem.squares = family->squares;
  problem.prior = setting.prior;
  problem.number = model::encoded_number(column, family->transform(setting.known));
  problem.total = infer::KnownTotal{static_cast<std::int64_t>(setting.n)};
  const auto& adds = problem.number.values.adds;
  const auto range = static_cast<double>(adds.back() - adds.front());
  const double share = problem.squares ? 0.5 : 1;
  Rng rng(2026, 0, Purpose::simulation);
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < setting.n; ++i) {
    const auto level = problem.number.level_of(problem.law->draw(theta, rng));
    const auto k = static_cast<double>(adds[static_cast<std::size_t>(level)]);
    sum += k;
    squares += k * k;
  }
  const release::DiscreteLaplace law(share * setting.epsilon / range);
  problem.sums = {{sum + static_cast<double>(law.simulate(rng)), law}};
  if (problem.squares) {
    const auto far = static_cast<double>(std::max(-adds.front(), adds.back()));
    const release::DiscreteLaplace square_law(share * setting.epsilon / (far * far));
    problem.square_sums = {{squares + static_cast<double>(square_law.simulate(rng)), square_law}};
  }
  return problem;
}

void measure(const Setting& setting, bench::Report& report) {
  const infer::RecordChain chain(simulate(setting));
  Rng rng(1, 0, Purpose::draws);
  infer::RecordChain::State state = chain.init(rng);
  for (int i = 0; i < 2 * infer::RecordChain::kTuning; ++i) chain.step(state, rng);
  std::vector<double> theta;
  theta.reserve(static_cast<std::size_t>(setting.sweeps));
  std::array<double, 3> values{};
  double accepted = 0;
  const double start = bench::cpu_seconds();
  for (int i = 0; i < setting.sweeps; ++i) {
    accepted += static_cast<double>(chain.step(state, rng).accepted);
    chain.read(state, values);
    theta.push_back(values[0]);
  }
  const double seconds = bench::cpu_seconds() - start;
  const double updates = static_cast<double>(setting.n) * setting.sweeps;
  const std::vector<std::span<const double>> chains{theta};
  report.add(setting.name, 1e9 * seconds / updates, "ns/record", setting.bar);
  report.add(setting.name + "/effective-draws", bulk_ess(ChainDraws(chains)) / seconds, "1/s");
  report.add(setting.name + "/acceptance", accepted / updates, "");
  report.add(setting.name + "/sweeps-per-effective-draw", setting.sweeps / bulk_ess(ChainDraws(chains)), "");
}

}  // namespace

int main(int argc, char** argv) {
  const model::Values grid = model::RealRange{0, 4, Rational(1, 100), {}};
  const model::Values fine = model::RealRange{0, 4, Rational(1, 250'000), {}};
  const model::Values wide = model::RealRange{-4, 4, Rational(1, 100), {}};
  const model::Values whole = model::IntegerRange{0, 20, {}};
  std::vector<Setting> settings;
  const auto add = [&](const std::string& name, const std::string& family, const std::vector<Rational>& known,
                       model::Hyper prior, const model::Values& values) {
    for (const double epsilon : {0.01, 0.1, 1.0}) {
      settings.push_back({"augment/" + name + ",n=1000,eps=" + std::to_string(epsilon).substr(0, 4), family,
                          known, prior, values, 1000, epsilon, 10'000, "<= 100"});
    }
  };
  add("exponential", "exponential", {}, {8, 6}, grid);
  add("exponential-fine", "exponential", {}, {8, 6}, fine);
  add("normal-mean", "normal-mean", {1}, {0, 1}, wide);
  add("normal", "normal", {}, {0, 2, 4, 3}, wide);
  add("poisson", "poisson", {}, {8, 2}, whole);
  add("gamma", "gamma", {Rational(5, 2)}, {8, 6}, grid);
  settings.push_back(
      {"augment/exponential,n=1e6,eps=1", "exponential", {}, {8, 6}, grid, 1'000'000, 1, 10, "<= 100"});
  const std::string only = argc > 1 ? argv[1] : "";
  bench::Report report;
  for (const Setting& setting : settings) {
    if (setting.name.find(only) != std::string::npos) measure(setting, report);
  }
  return 0;
}
