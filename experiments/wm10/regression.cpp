#include "regression.hpp"

#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"

#include "kinds/logistic_regression/chain.hpp"

namespace postern::wm10 {
namespace {

double odds(const double* x, const std::vector<double>& theta) {
  return std::inner_product(theta.begin(), theta.end(), x, 0.0);
}

std::vector<double> gradient(const Labelled& points, const std::vector<double>& theta) {
  std::vector<double> out(theta.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* x = points.at(i);
    const double error = (points.y[i] ? 1 : 0) - infer::logistic(odds(x, theta));
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += error * x[j];
  }
  return out;
}

double draw_laplace(double scale, Rng& rng) {
  const double size = scale * draw_exponential(rng);
  return rng.uniform() < 0.5 ? size : -size;
}

/// What inference knows: points, noisy gradients, n; from a start as in the paper, uniform in -1..1.
infer::LogisticProblem ascend(const Dataset& data, const Ascent& ascent, std::vector<double>& theta,
                              Rng& rng) {
  infer::LogisticProblem out;
  out.size = data.learn.dimensions;
  out.prior_sd = data.prior_sd;
  out.cloud = data.cloud;
  out.sampled = data.sampled;
  out.total = infer::KnownTotal{static_cast<std::int64_t>(data.learn.size())};
  const double scale = static_cast<double>(ascent.rounds) * data.most / ascent.epsilon;
  theta.resize(out.size);
  for (double& one : theta) one = 2 * rng.uniform() - 1;
  for (std::size_t t = 0; t < ascent.rounds; ++t) {
    infer::NoisyGradient noisy{theta, gradient(data.learn, theta), scale, 0, false};
    for (double& one : noisy.z) one += draw_laplace(scale, rng);
    for (std::size_t j = 0; j < theta.size(); ++j)
      theta[j] += data.step / static_cast<double>(data.learn.size()) * noisy.z[j];
    out.gradients.push_back(std::move(noisy));
  }
  for (std::size_t i = 0; i < ascent.public_rows; ++i)
    out.rows.push_back({{data.known.at(i), data.known.at(i) + out.size}, data.known.y[i]});
  return out;
}

}  // namespace

Execution execute(const Dataset& data, const Ascent& ascent, Rng& rng) {
  Execution out;
  std::vector<double> theta;
  const infer::LogisticProblem problem = ascend(data, ascent, theta, rng);
  out.heuristic = error_rate(data.test, theta);
  const model::Study none;  // units are those of the data
  const infer::LogisticChain chain(problem, none);
  auto state = chain.init(rng);
  for (std::size_t i = 0; i < ascent.draws; ++i) chain.step(state, rng);
  std::vector<double> votes(data.test.size(), 0.0);
  for (std::size_t i = 0; i < ascent.draws; ++i) {
    chain.step(state, rng);
    for (std::size_t k = 0; k < votes.size(); ++k)
      votes[k] += infer::logistic(odds(data.test.at(k), state.theta)) / static_cast<double>(ascent.draws);
    out.expected += error_rate(data.test, state.theta) / static_cast<double>(ascent.draws);
  }
  for (std::size_t k = 0; k < votes.size(); ++k) {
    const bool y = data.test.y[k];
    out.vote += (votes[k] > 0.5) != y ? 100 / static_cast<double>(votes.size()) : 0;
    out.log_likelihood += std::log(y ? votes[k] : 1 - votes[k]) / static_cast<double>(votes.size());
  }
  return out;
}

double benchmark(const Dataset& data) {
  constexpr double kNearlyFlat = 100;  // a prior, so that separable classes have a best answer
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < data.learn.size(); ++i)
    points.emplace_back(data.learn.at(i), data.learn.at(i) + data.learn.dimensions);
  std::vector<double> theta(data.learn.dimensions, 0.0);
  for (int i = 0; i < 30; ++i) {
    std::vector<double> move = gradient(data.learn, theta);
    for (std::size_t j = 0; j < theta.size(); ++j) move[j] -= theta[j] / (kNearlyFlat * kNearlyFlat);
    const infer::Cholesky information =
        infer::record_information(points, theta, static_cast<double>(points.size()), kNearlyFlat);
    information.solve_lower(move);
    information.solve_upper(move);
    for (std::size_t j = 0; j < theta.size(); ++j) theta[j] += move[j];
  }
  return error_rate(data.test, theta);
}

}  // namespace postern::wm10
