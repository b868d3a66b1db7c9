// Data augmentation on latent records: nanoseconds of CPU a record and sweep, one thread, and effective draws
// of theta a second.

#include <array>
#include <string>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

#include "bench.hpp"
#include "number_setting.hpp"

namespace {

using namespace postern;

struct Setting {
  std::string name;
  bench::NumberSetting number;
  int sweeps;
  std::string bar;
};

void measure(const Setting& setting, bench::Report& report) {
  const infer::RecordChain chain(bench::simulate(setting.number));
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
  const double updates = static_cast<double>(setting.number.n) * setting.sweeps;
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
      settings.push_back({"augment/" + name + ",n=1000,eps=" + std::to_string(epsilon).substr(0, 4),
                          {family, known, prior, values, 1000, epsilon},
                          10'000,
                          "<= 100"});
    }
  };
  add("exponential", "exponential", {}, {8, 6}, grid);
  add("exponential-fine", "exponential", {}, {8, 6}, fine);
  add("normal-mean", "normal-mean", {1}, {0, 1}, wide);
  add("normal", "normal", {}, {0, 2, 4, 3}, wide);
  add("poisson", "poisson", {}, {8, 2}, whole);
  add("gamma", "gamma", {Rational(5, 2)}, {8, 6}, grid);
  settings.push_back(
      {"augment/exponential,n=1e6,eps=1", {"exponential", {}, {8, 6}, grid, 1'000'000, 1}, 10, "<= 100"});
  const std::string only = argc > 1 ? argv[1] : "";
  bench::Report report;
  for (const Setting& setting : settings) {
    if (setting.name.find(only) != std::string::npos) measure(setting, report);
  }
  return 0;
}
