// Exact draws per CPU second, generator included, one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/discrete_laplace.hpp"
#include "postern/owner/exponential_mechanism.hpp"

#include "bench.hpp"

namespace {

using postern::Int128;
using postern::Integer;
using postern::Rational;
using namespace postern::owner;

constexpr std::size_t kBatch = std::size_t{1} << 16;
constexpr double kSeconds = 0.5;

/// Draws batches for about half a CPU second.
template <class Sampler, class Value>
double draws_per_second(const Sampler& sampler, std::vector<Value>& batch, Entropy& entropy) {
  sampler.draw(batch, entropy);
  const double start = postern::bench::cpu_seconds();
  double spent = 0;
  std::size_t drawn = 0;
  while (spent < kSeconds) {
    sampler.draw(batch, entropy);
    drawn += batch.size();
    spent = postern::bench::cpu_seconds() - start;
  }
  return static_cast<double>(drawn) / spent;
}

/// Scores of a hump over K candidates whose gaps reach e^-10 at the ends.
ExponentialSampler hump(std::int64_t candidates) {
  std::vector<std::int64_t> scores;
  const std::int64_t middle = candidates / 2;
  for (std::int64_t i = 0; i < candidates; ++i) scores.push_back(-(i - middle) * (i - middle));
  Rational scale(10, static_cast<unsigned long>(middle * middle));
  scale.canonicalize();
  return {scores, scale};
}

}  // namespace

int main() {
  postern::bench::Report report;
  Entropy entropy;
  const std::string unit = "draws/s";
  const std::string bar = ">= 5e6";
  std::vector<Int128> noise(kBatch);
  const auto laplace = [&](const std::string& name, const Rational& lambda) {
    report.add("laplace " + name, draws_per_second(DiscreteLaplaceSampler(lambda), noise, entropy), unit,
               bar);
  };
  const auto gaussian = [&](const std::string& name, const Rational& sigma2) {
    report.add("gaussian " + name, draws_per_second(DiscreteGaussianSampler(sigma2), noise, entropy), unit,
               bar);
  };
  laplace("epsilon 1", 1);
  laplace("epsilon 1/10", Rational(1, 10));
  laplace("scale 1e6", Rational(1, 1000000));
  laplace("scale 2^40", Rational(1, Integer(1) << 40));
  gaussian("sigma 1", 1);
  gaussian("sigma 10", 100);
  gaussian("sigma 1e6", Rational(1000000000000));
  std::vector<std::size_t> choices(kBatch);
  for (const int candidates : {101, 1001, 10001}) {
    const double start = postern::bench::cpu_seconds();
    const ExponentialSampler sampler = hump(candidates);
    const double setup = postern::bench::cpu_seconds() - start;
    const std::string name = "exponential K=" + std::to_string(candidates);
    report.add(name, draws_per_second(sampler, choices, entropy), unit);
    report.add(name + " set-up", setup, "s");
  }
}
