// The likelihood of ten noisy gradients of 17,500 records given ten coefficients, records summed out: one
// evaluation, as a chain makes it at every move. bench/reference/logistic.py does the same in numpy.

#include <algorithm>
#include <vector>

#include "postern/core/draw.hpp"

#include "bench.hpp"
#include "kinds/logistic_regression/collapsed.hpp"
#include "kinds/logistic_regression/residual_form.hpp"

namespace {

using namespace postern;

constexpr std::size_t kCoefficients = 10;
constexpr std::size_t kGradients = 10;
constexpr std::size_t kPoints = 2048;  // that stand for the features' law, as in a study with many features
constexpr std::int64_t kRecords = 17'500;

/// Features uniform in -1..1, gradients on a straight path to the truth, noise of epsilon = 1.
infer::LogisticProblem problem_of(Rng& rng) {
  infer::LogisticProblem out;
  out.size = kCoefficients;
  out.prior_sd = 2.5;
  out.total = infer::KnownTotal{kRecords};
  for (std::size_t i = 0; i < kPoints; ++i) {
    std::vector<double>& w = out.cloud.emplace_back(kCoefficients);
    for (double& one : w) one = 2 * rng.uniform() - 1;
  }
  constexpr double kScale = kGradients * kCoefficients;
  for (std::size_t t = 0; t < kGradients; ++t) {
    infer::NoisyGradient one;
    one.theta.assign(kCoefficients, 0.1 * static_cast<double>(t));
    for (std::size_t j = 0; j < kCoefficients; ++j) {
      const double expected = (1 - 0.1 * static_cast<double>(t)) * 0.04 * static_cast<double>(kRecords);
      one.z.push_back(expected + kScale * (draw_exponential(rng) - draw_exponential(rng)));
    }
    one.scale = kScale;
    out.gradients.push_back(std::move(one));
  }
  return out;
}

}  // namespace

int main() {
  Rng rng(1, 0, Purpose::test);
  const infer::LogisticProblem problem = problem_of(rng);
  const infer::CollapsedGradients gradients(problem);
  infer::ResidualForm form(problem.size);
  for (const infer::CollapsedGradients::Block& block : gradients.blocks()) {
    std::vector<double> matrix = block.covariance;
    const std::size_t size = block.places.size();
    for (std::size_t a = 0; a < size; ++a)
      matrix[a * size + a] += 2 * problem.gradients.front().scale * problem.gradients.front().scale;
    form.add(infer::Cholesky(std::move(matrix), size), block.places, gradients.base(), gradients.slope());
  }
  bench::Report report;
  constexpr std::size_t kRounds = 7;
  constexpr std::size_t kEvaluations = 20'000;
  std::vector<double> seconds;
  double sink = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<double> theta = gradients.mode();
    std::vector<double> shift;
    const double start = bench::cpu_seconds();
    for (std::size_t i = 0; i < kEvaluations; ++i) {
      theta[i % theta.size()] += 1e-6;
      gradients.shift(theta, shift);
      sink += gradients.log_prior(theta) - 0.5 * form.at(problem.about(), 0, shift);
    }
    seconds.push_back((bench::cpu_seconds() - start) / kEvaluations);
  }
  std::sort(seconds.begin(), seconds.end());
  volatile double kept = sink;
  static_cast<void>(kept);
  report.add("logistic/collapsed likelihood,n=17500,d=10,T=10", seconds[kRounds / 2], "s");
}
