#include "markov/mirror_descent.hpp"

#include <algorithm>

namespace postern::infer::markov {
namespace {

/// sum (y - n)^2 / (2 variance) and its derivative in n, cell by cell.
double squared_distance(const Measurements& data, const std::vector<double>& marginals,
                        std::vector<double>& gradient) {
  std::ranges::fill(gradient, 0.0);
  double sum = 0;
  for (const Measurements::Value& value : data.values) {
    const double r = data.total * marginals[value.cell] - value.y;
    gradient[value.cell] += r / value.variance;
    sum += 0.5 * r * r / value.variance;
  }
  return sum;
}

}  // namespace

MarkovFit mirror_descent(const Measurements& data, const MarkovOptions& options,
                         const Conversation& conversation) {
  constexpr int halvings = 25;
  const int most = options.iterations > 0 ? options.iterations : 1000;
  Law law(data, conversation);
  std::vector<double> gradient(data.dimension());
  double loss = squared_distance(data, law.marginals(), gradient);
  double alpha = 1 / (data.total * data.total);
  std::vector<double> theta(data.zeros);
  std::vector<double> step(data.dimension());
  std::vector<double> next(data.dimension());
  for (int i = 0; i < most; ++i) {
    const std::vector<double> before(law.marginals());
    alpha *= 2;
    double moved = 0;
    for (int k = 0; k < halvings; ++k, alpha *= 0.5) {
      for (std::size_t c = 0; c < step.size(); ++c) step[c] = -alpha * gradient[c];
      law.move(theta, step);
      moved = squared_distance(data, law.marginals(), next);
      double promised = 0;
      for (std::size_t c = 0; c < step.size(); ++c)
        promised += gradient[c] * (before[c] - law.marginals()[c]);
      if (loss - moved >= 0.5 * alpha * data.total * promised) break;
    }
    theta = law.theta();
    loss = moved;
    gradient.swap(next);
  }
  MarkovFit fit = law.fit();
  fit.stop = MarkovStop::iterations;
  fit.objective = loss;
  fit.iterations = most;
  double along = 0;
  for (std::size_t c = 0; c < gradient.size(); ++c) along += gradient[c] * fit.marginals[c];
  for (double& g : gradient) g = -g;
  fit.certificate = data.total * (law.maximum(gradient) + along);
  fit.propagations = law.propagations();
  return fit;
}

}  // namespace postern::infer::markov
