#include "markov/em.hpp"

#include <algorithm>
#include <cmath>

#include "markov/box.hpp"

namespace postern::infer::markov {

double discrepancy(const Measurements& data, const std::vector<double>& marginals) {
  double sum = 0;
  for (const Measurements::Value& value : data.values) {
    const double r = value.y - data.total * marginals[value.cell];
    sum += value.scale > 0 ? std::abs(r) / value.scale : r * r / value.variance;
  }
  return sum / static_cast<double>(data.values.size());
}

double step_radius(const Measurements& data) {
  double most = 0;
  for (const Measurements::Value& value : data.values)
    most = std::max(most, value.scale > 0 ? 1 / value.scale : std::sqrt(2 / value.variance));
  return most;
}

EmOptions em_options(const Measurements& data, const MarkovOptions& options) {
  constexpr double least = 0.04;  // larger proximal steps follow the same path
  EmOptions out;
  out.step = std::max(1.0, least / step_radius(data));
  out.radius = options.radius;
  out.discrepancy = !options.radius;
  out.iterations = options.iterations > 0 ? options.iterations : 1000;
  out.tolerance = options.tolerance > 0 ? options.tolerance : 1e-3 * static_cast<double>(data.values.size());
  return out;
}

bool DiscrepancyRule::reached(double now, double radius) {
  // Where noise happens to be larger than expected, the fit cannot come so near without following it: the
  // first steps towards noise alone lower the discrepancy by about 0.14 per unit of |theta|.
  constexpr double flat = 0.08;
  const bool enough = now <= 1 || (last_ - now < flat * (radius - radius_) && last_ > 0);
  last_ = now;
  radius_ = radius;
  return enough;
}

MarkovFit em(const Measurements& data, const EmOptions& options, const Conversation& conversation) {
  Law law(data, conversation);
  BoxProblem problem{data.zeros, options.step};
  const double unit = step_radius(data);
  double radius = 0;
  std::vector<double> lambda;
  double gap = 0;
  int iterations = 0;
  MarkovStop stop = MarkovStop::iterations;
  DiscrepancyRule rule;
  while (iterations < options.iterations) {
    if (options.radius) problem.step = std::min(options.step, (*options.radius - radius) / unit);
    BoxSolution solution = solve_box(data, problem, law, options.tolerance, 2000, std::move(lambda));
    ++iterations;
    gap = solution.gap;
    lambda = std::move(solution.lambda);
    add_to_cells(data, lambda, problem.start);
    radius += problem.step * unit;
    if (options.radius && radius >= *options.radius * (1 - 1e-12)) {
      stop = MarkovStop::radius;
      break;
    }
    if (options.discrepancy && rule.reached(discrepancy(data, law.marginals()), radius)) {
      stop = MarkovStop::discrepancy;
      break;
    }
  }
  MarkovFit fit = law.fit();
  fit.stop = stop;
  fit.certificate = gap;
  fit.objective = discrepancy(data, law.marginals());
  fit.iterations = iterations;
  return fit;
}

}  // namespace postern::infer::markov
