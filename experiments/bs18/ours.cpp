#include "ours.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/model/number_family.hpp"

namespace postern::bs18 {
namespace {

constexpr std::size_t kChains = 2;
constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr long kLevelsPerUnit = 100;

infer::DriverOptions short_chains(Rng& rng) {
  infer::DriverOptions options;
  options.chains = kChains;
  options.draws = kPoints / kChains;
  options.seed = rng();
  options.threads = 1;
  return options;
}

/// The first `dimension` quantities of all chains, point by point.
Sample points(const infer::ChainRun& run, std::size_t dimension, std::size_t draws) {
  Sample out;
  for (const auto& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) {
      for (std::size_t q = 0; q < dimension; ++q) out.push_back(chain[q * draws + i]);
    }
  }
  return out;
}

infer::NumberProblem number_problem(std::string_view name, const std::vector<Rational>& known,
                                    const model::Values& values, const model::Hyper& prior) {
  const model::NumberFamily& family = *model::find_number_family(name);
  infer::NumberProblem problem;
  problem.law = family.law(known);
  problem.parameters = family.parameters.size();
  problem.whole = family.whole;
  problem.prior = prior;
  const model::Column column{"x", values, model::MapTo{0}, model::Clamp{}, true};
  problem.number = model::encoded_number(column, family.transform(known));
  return problem;
}

infer::CountProblem count_problem(const SeenCounts& seen) {
  infer::CountProblem problem;
  problem.alpha = seen.alpha;
  for (const auto& y : seen.y) {
    auto& noisy_values = problem.noisy_values.emplace_back();
    if (y) noisy_values.push_back({*y, release::DiscreteLaplace(1 / seen.scale)});
  }
  problem.total = infer::KnownTotal{static_cast<std::int64_t>(seen.n)};
  return problem;
}

}  // namespace

Sample exact_counts(const SeenCounts& seen, Rng& rng) {
  const infer::CountPosterior posterior(count_problem(seen), kMemory, 1);
  const std::size_t k = seen.alpha.size();
  Sample out(kPoints * k);
  std::vector<std::int64_t> counts(k);
  for (std::size_t i = 0; i < kPoints; ++i) posterior.draw(std::span(out).subspan(i * k, k), counts, rng);
  return out;
}

Sample gibbs_counts(const SeenCounts& seen, Rng& rng) {
  infer::PooledCounts problem;
  problem.alpha = seen.alpha;
  problem.datasets = {count_problem(seen)};
  for (std::size_t k = 0; k < seen.alpha.size(); ++k) problem.reported.push_back(k);
  const infer::DriverOptions options = short_chains(rng);
  return points(infer::draw_pooled_counts(problem, options, {}), seen.alpha.size(), options.draws);
}

ClampedExponential::ClampedExponential(double shape, double rate, const Bounds& bounds) {
  const long lo = std::lround(bounds.a * kLevelsPerUnit);
  const long hi = std::max(std::lround(bounds.b * kLevelsPerUnit), lo + 1);
  const auto level = [](long k) {
    Rational out(k, kLevelsPerUnit);
    out.canonicalize();
    return out;
  };
  problem_ =
      number_problem("exponential", {}, model::RealRange{level(lo), level(hi), level(1), {}}, {shape, rate});
}

double ClampedExponential::adds(double x) const {
  const auto level = static_cast<std::size_t>(problem_.number.level_of(x));
  return static_cast<double>(problem_.number.values.adds[level]);
}

double ClampedExponential::sensitivity() const {
  const auto& adds = problem_.number.values.adds;
  return static_cast<double>(adds.back() - adds.front());
}

infer::NumberProblem ClampedExponential::seen(std::size_t n, double y, double scale) const {
  infer::NumberProblem problem = problem_;
  problem.total = infer::KnownTotal{static_cast<std::int64_t>(n)};
  problem.sums = {{y, release::DiscreteLaplace(1 / scale)}};
  return problem;
}

Sample ClampedExponential::exact(std::size_t n, double y, double scale, Rng& rng) const {
  const infer::NumberPosterior posterior(seen(n, y, scale), 1);
  Sample out(kPoints);
  for (double& theta : out) theta = posterior.draw({}, rng);
  return out;
}

}  // namespace postern::bs18
