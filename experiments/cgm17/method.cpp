#include "method.hpp"

#include <cmath>
#include <ctime>

#include "accountant.hpp"
#include "markov/naive.hpp"

namespace postern::cgm17 {

double thread_seconds() {
  timespec now{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Learnt naive_without_projection(const infer::MarkovProblem& problem, double ridge) {
  const double start = thread_seconds();
  const infer::markov::Measurements data(problem, {});
  std::vector<double> margins = infer::markov::cell_averages(data).y;
  for (double& m : margins) m /= data.total;
  infer::markov::Law law(data, {});
  const infer::MarkovFit fit = infer::markov::fit_margins(data, law, std::move(margins), ridge, 1e-7, 200);
  return {fit.theta, fit.marginals, thread_seconds() - start};
}

Learnt learn(const infer::MarkovProblem& problem, infer::MarkovEstimator estimator,
             const infer::MarkovOptions& options) {
  const double start = thread_seconds();
  const infer::MarkovFit fit = infer::estimate_markov(problem, estimator, options, {});
  return {fit.theta, fit.marginals, thread_seconds() - start};
}

std::vector<Descent> descent_grid(std::size_t n, bool quick) {
  std::vector<Descent> out;
  for (const std::size_t batch : {256U, 1024U, 4096U}) {
    if (2 * batch > n) continue;
    for (const int steps : {300, 1000}) {
      for (const double step : {0.1, 0.3, 1.0}) {
        if (!quick || (batch == 256 && steps == 300)) out.push_back({batch, steps, step});
      }
    }
  }
  return out;
}

Learnt learn_by_descent(const Truth& truth, const Population& population, const Descent& descent,
                        double epsilon, double delta, Rng& rng) {
  const double rate = static_cast<double>(descent.batch) / static_cast<double>(population.n);
  const double noise = noise_for(epsilon, delta, rate, descent.steps);
  if (!std::isfinite(noise)) return {};
  const double start = thread_seconds();
  const graph::LogLinear& model = truth.model;
  const Contributors records{
      population.n, std::sqrt(static_cast<double>(model.cliques().size())),
      [&](std::size_t i, std::span<double> sum) {
        for (std::size_t e = 0; e < model.cliques().size(); ++e) {
          const graph::Variables& edge = model.cliques()[e];
          ++sum[model.offset(e) + population.columns[edge[0]][i] * model.sizes()[edge[1]] +
                population.columns[edge[1]][i]];
        }
      }};
  Learnt out{descend(model, records, descent, noise, rng), {}, 0};
  out.seconds = thread_seconds() - start;
  return out;
}

double gaussian_variance(const Truth& truth, double epsilon, double delta) {
  const double noise = noise_for(epsilon, delta, 1, 1);
  return noise * noise * static_cast<double>(truth.model.cliques().size());
}

}  // namespace postern::cgm17
