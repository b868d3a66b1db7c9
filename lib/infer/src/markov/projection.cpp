#include "markov/projection.hpp"

#include <algorithm>
#include <cmath>

#include "markov/box.hpp"
#include "markov/consistency.hpp"
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

/// Tables that all have their cells, and of one variance: where effects can be averaged.
bool balanced(const Measurements& data) { return std::ranges::count(data.measured, false) == 0; }

std::vector<double> table_variances(const Measurements& data, const CellAverages& average) {
  std::vector<double> out;
  for (std::size_t f = 0; f < data.model->cliques().size(); ++f)
    out.push_back(average.variance[data.model->offset(f)]);
  return out;
}

/// Proximal steps: margins nearest to the tables, and near to the last ones by the law's own divergence.
class Proximal {
 public:
  Proximal(const Measurements& data, Law& law)
      : data_(data),
        law_(law),
        average_(cell_averages(data)),
        bounded_(std::ranges::any_of(data.values, [](const auto& value) { return value.scale > 0; })),
        problem{data.zeros, std::max(1.0, 0.5 / step_radius(data))} {
    // What tables disagree on cannot be fitted, and would move theta where it changes nothing, without end.
    if (balanced(data))
      Consistency(*data.model, table_variances(data, average_)).project(average_.y, data.total);
  }

  /// Moves the law; whether the step was solved to the tolerance. `keep` then makes it the new start.
  bool step(double tolerance) {
    const double growth = problem.step / before_;
    before_ = problem.step;
    std::vector<double> guess(lambda_);
    for (double& l : guess) l *= growth;
    if (bounded_) {
      BoxSolution solution = solve_box(data_, problem, law_, tolerance, 1000, std::move(guess));
      lambda_ = std::move(solution.lambda);
      return solution.certified;
    }
    std::vector<double> ridge(average_.variance);
    for (double& v : ridge) v /= problem.step;
    RidgeSolution solution = solve_ridge(data_, {problem.start, average_.y, std::move(ridge), data_.total},
                                         law_, tolerance, 30, std::move(guess));
    lambda_ = std::move(solution.lambda);
    return solution.certified;
  }
  void keep() {
    if (bounded_) {
      add_to_cells(data_, lambda_, problem.start);
    } else {
      for (std::size_t i = 0; i < lambda_.size(); ++i) problem.start[i] += lambda_[i];
    }
  }
  /// Multipliers of the distance at the law's margins; for squares its own gradient.
  [[nodiscard]] std::vector<double> multipliers() const {
    std::vector<double> out(data_.values.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Measurements::Value& value = data_.values[i];
      out[i] = value.scale > 0 ? lambda_[i] / problem.step
                               : (value.y - data_.total * law_.marginals()[value.cell]) / value.variance;
    }
    return out;
  }

 private:
  const Measurements& data_;
  Law& law_;
  CellAverages average_;
  bool bounded_;
  std::vector<double> lambda_;  ///< of the last step
  double before_ = 1;

 public:
  BoxProblem problem;
};

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
  Law law(data, conversation);
  Proximal proximal(data, law);
  MarkovFit best;
  int iterations = 0;
  double growth = 2;
  double accuracy = tolerance;
  while (iterations < most) {
    accuracy = std::max(0.25 * accuracy, 1e-6 * tolerance);
    const bool solved = proximal.step(accuracy * proximal.problem.step);
    ++iterations;
    const double reached = distance_to(data, law.marginals());
    if (best.model && !solved && reached >= best.objective) {
      proximal.problem.step *= 0.25;  // too far at once
      growth = 1;
      continue;
    }
    proximal.keep();
    best = law.fit();
    best.objective = reached;
    const double gap = gap_of(data, proximal.multipliers(), reached, law);
    best.certificate = std::max(gap, 0.0);
    best.stop = gap <= tolerance ? MarkovStop::certified : MarkovStop::iterations;
    if (gap <= tolerance) break;
    proximal.problem.step *= solved ? growth : 1;
  }
  best.iterations = iterations;
  best.propagations = law.propagations();
  return best;
}

}  // namespace postern::infer::markov
