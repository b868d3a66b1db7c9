#include "markov/projection.hpp"

#include <algorithm>
#include <cmath>

#include "markov/box.hpp"
#include "markov/em.hpp"
#include "markov/ridge.hpp"

namespace postern::infer::markov {
namespace {

/// The same values with noise of the kind whose negative log density is the distance.
Measurements with_distance(const Measurements& data, Distance distance) {
  Measurements out(data);
  for (Measurements::Value& value : out.values) {
    if (distance == Distance::squared) {
      value.scale = 0;
    } else if (value.scale == 0) {
      value.scale = std::sqrt(0.5 * value.variance);
    }
  }
  return out;
}

/// Duality: for any lambda within bounds, n max_x lambda . T(x) - lambda . y + sum ridge lambda^2 / 2 is at
/// most minus the least distance.
double gap_of(const Measurements& data, const std::vector<double>& lambda, double distance, Law& law) {
  std::vector<double> cells(data.dimension());
  add_to_cells(data, lambda, cells);
  double gap = distance + data.total * law.maximum(cells);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    const Measurements::Value& value = data.values[i];
    gap -= lambda[i] * value.y;
    if (value.scale == 0) gap += 0.5 * value.variance * lambda[i] * lambda[i];
  }
  return gap;
}

/// Multipliers of the distance at the law's margins, for squares its own gradient.
std::vector<double> multipliers(const Measurements& data, const Law& law, const BoxSolution& solution,
                                double step) {
  std::vector<double> out(solution.lambda);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Measurements::Value& value = data.values[i];
    out[i] = value.scale > 0 ? out[i] / step
                             : (value.y - data.total * law.marginals()[value.cell]) / value.variance;
  }
  return out;
}

/// One proximal step; theta of `problem` moves with it.
BoxSolution proximal_step(const Measurements& data, BoxProblem& problem, Law& law, double tolerance) {
  if (std::ranges::any_of(data.values, [](const auto& value) { return value.scale > 0; })) {
    BoxSolution solution = solve_box(data, problem, law, tolerance, 1000);
    add_to_cells(data, solution.lambda, problem.start);
    return solution;
  }
  CellAverages average = cell_averages(data);
  for (double& v : average.variance) v /= problem.step;
  const RidgeSolution solution =
      solve_ridge(data, {problem.start, std::move(average.y), std::move(average.variance), data.total}, law,
                  tolerance, 50);
  for (std::size_t i = 0; i < problem.start.size(); ++i) problem.start[i] += solution.lambda[i];
  BoxSolution out;
  out.lambda.resize(data.values.size());
  return out;
}

}  // namespace

double distance_to(const Measurements& data, const std::vector<double>& marginals) {
  double sum = 0;
  for (const Measurements::Value& value : data.values) {
    const double r = value.y - data.total * marginals[value.cell];
    sum += value.scale > 0 ? std::abs(r) / value.scale : 0.5 * r * r / value.variance;
  }
  return sum;
}

MarkovFit project(const Measurements& all, Distance distance, const MarkovOptions& options,
                  const Conversation& conversation) {
  const Measurements data = with_distance(all, distance);
  const double tolerance =
      options.tolerance > 0 ? options.tolerance : 1e-3 * static_cast<double>(data.values.size());
  const int most = options.iterations > 0 ? options.iterations : 60;
  constexpr double growth = 2;
  Law law(data, conversation);
  BoxProblem problem{data.zeros, std::max(1.0, 0.5 / step_radius(data))};
  MarkovFit fit;
  int iterations = 0;
  for (;; problem.step *= growth) {
    const BoxSolution solution = proximal_step(data, problem, law, 0.1 * tolerance * problem.step);
    ++iterations;
    fit = law.fit();
    fit.objective = distance_to(data, fit.marginals);
    const double gap =
        gap_of(data, multipliers(data, law, solution, problem.step), fit.objective, law);
    fit.certificate = std::max(gap, 0.0);
    fit.stop = gap <= tolerance ? MarkovStop::certified : MarkovStop::iterations;
    if (gap <= tolerance || iterations >= most) break;
  }
  fit.iterations = iterations;
  fit.propagations = law.propagations();
  return fit;
}

}  // namespace postern::infer::markov
