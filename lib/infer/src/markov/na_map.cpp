#include "markov/na_map.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/rng.hpp"

#include "markov/conjugate_gradients.hpp"
#include "markov/laplace_normal.hpp"
#include "markov/ridge.hpp"

namespace postern::infer::markov {
namespace {

/// F(theta) = -sum log f(y - n mu) + |theta|^2 / (2 s^2), its gradient and its Gauss-Newton matrix.
class NaMap {
 public:
  NaMap(const Measurements& data, Law& law)
      : data_(data),
        law_(law),
        slopes_(data.dimension()),
        weights_(data.dimension()),
        diagonal_(data.dimension(), 1.0),
        gradient_(data.dimension()),
        room_(data.dimension()) {}

  double prior_variance = 1;

  /// F where the law is now.
  double look() {
    std::ranges::fill(slopes_, 0.0);
    std::ranges::fill(weights_, 0.0);
    double value = 0;
    for (const Measurements::Value& one : data_.values) {
      const double r = one.y - data_.total * law_.marginals()[one.cell];
      LogDensity density;
      if (one.scale > 0) {
        const double least = 0.2 * one.scale;
        density = laplace_normal(r, one.scale, std::max(one.y, 0.0) + least * least);
      } else {
        density = {-0.5 * r * r / one.variance, -r / one.variance, 1 / one.variance};
      }
      value -= density.value;
      slopes_[one.cell] += density.slope;
      weights_[one.cell] += density.curvature;
    }
    return value + 0.5 * squares() / prior_variance;
  }

  /// |theta|^2 of what is measured.
  [[nodiscard]] double squares() const {
    double sum = 0;
    for (std::size_t i = 0; i < data_.dimension(); ++i) {
      if (data_.measured[i]) sum += law_.theta()[i] * law_.theta()[i];
    }
    return sum;
  }

  /// After look.
  const std::vector<double>& gradient() {
    law_.covariance_times(slopes_, gradient_);
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      gradient_[i] = data_.measured[i] ? data_.total * gradient_[i] + law_.theta()[i] / prior_variance : 0.0;
      const double n = data_.total * law_.marginals()[i];
      diagonal_[i] = n * n * weights_[i] + 1 / prior_variance;
    }
    return gradient_;
  }

  /// x = H^-1 rhs, nearly. After gradient.
  int solve(std::span<const double> rhs, std::span<double> x, double relative, int most) {
    return conjugate_gradients(
        [&](std::span<const double> v, std::span<double> out) {
          law_.covariance_times(v, room_);
          for (std::size_t i = 0; i < room_.size(); ++i) room_[i] *= weights_[i];
          law_.covariance_times(room_, out);
          const double n2 = data_.total * data_.total;
          for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = data_.measured[i] ? n2 * out[i] + v[i] / prior_variance : 0.0;
        },
        diagonal_, rhs, x, relative, most);
  }

 private:
  const Measurements& data_;
  Law& law_;
  std::vector<double> slopes_;
  std::vector<double> weights_;
  std::vector<double> diagonal_;
  std::vector<double> gradient_;
  std::vector<double> room_;
};

// Steps of conjugate gradients. Much less noise than counts makes the matrix ill-conditioned; a step that is
// cut short there is short of Newton's by far, and so is the decrement that certifies it.
constexpr int kMostInner = 2000;
constexpr int kRoughInner = 100;  // where a mode to 1 nat or more is asked for, as to score candidates

struct Minimum {
  double value = 0;
  double decrement = 0;
  int iterations = 0;
  MarkovStop stop = MarkovStop::iterations;
};

/// Gauss-Newton with backtracking, from where the law is. `relative` is that of the conjugate gradients.
Minimum minimise(NaMap& objective, Law& law, double tolerance, int most) {
  Minimum out;
  out.value = objective.look();
  const std::size_t size = law.theta().size();
  std::vector<double> theta(law.theta());
  std::vector<double> step(size);
  std::vector<double> down(size);
  for (; out.iterations < most; ++out.iterations) {
    const std::vector<double>& gradient = objective.gradient();
    for (std::size_t i = 0; i < size; ++i) down[i] = -gradient[i];
    std::ranges::fill(step, 0.0);
    (void)objective.solve(down, step, 0.1, tolerance < 1 ? kMostInner : kRoughInner);
    const double slope = -dot(down, step);
    out.decrement = -slope;
    if (out.decrement <= tolerance) {
      out.stop = MarkovStop::certified;
      break;
    }
    double by = 1;
    double value = 0;
    for (; by > 1e-10; by *= 0.5) {
      std::vector<double> moved(step);
      for (double& s : moved) s *= by;
      law.move(theta, moved);
      value = objective.look();
      if (value <= out.value + 1e-4 * by * slope) break;
    }
    if (by <= 1e-10) {
      law.move_to(theta);
      out.value = objective.look();
      out.stop = MarkovStop::precision;
      break;
    }
    theta = law.theta();
    out.value = value;
  }
  return out;
}

/// Signs for an estimate of tr(H^-1), the same for every matrix.
class TraceProbes {
 public:
  TraceProbes(const Measurements& data, const PriorEffort& effort) : effort_(effort) {
    Rng rng(0, 0, Purpose::draws);
    for (std::size_t k = 0; k < effort.probes; ++k) {
      auto& probe = probes_.emplace_back(data.dimension());
      for (std::size_t i = 0; i < probe.size(); ++i)
        probe[i] = data.measured[i] ? ((rng() >> 63) != 0 ? 1 : -1) : 0;
      solutions_.emplace_back(data.dimension());
    }
  }
  [[nodiscard]] double trace(NaMap& objective) {
    double sum = 0;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
      (void)objective.solve(probes_[k], solutions_[k], effort_.relative, effort_.steps);
      sum += dot(probes_[k], solutions_[k]);
    }
    return sum / static_cast<double>(probes_.size());
  }

 private:
  PriorEffort effort_;
  std::vector<std::vector<double>> probes_;
  std::vector<std::vector<double>> solutions_;
};

/// The convex problem that is near enough for Newton steps: normal noise, thirty EM steps at once.
void move_to_start(const Measurements& data, Law& law) {
  constexpr double steps = 30;
  CellAverages average = cell_averages(data);
  for (std::size_t i = 0; i < average.variance.size(); ++i) {
    if (data.measured[i]) average.variance[i] /= steps;
  }
  (void)solve_ridge(data, {data.zeros, std::move(average.y), std::move(average.variance), data.total}, law,
                    0.01 * static_cast<double>(data.dimension()), 50);
}

}  // namespace

MarkovFit na_map(const Measurements& data, const MarkovOptions& options, const Conversation& conversation,
                 const PriorEffort& effort) {
  Law law(data, conversation);
  NaMap objective(data, law);
  const double tolerance = options.tolerance > 0 ? options.tolerance : 0.05;
  const int most = options.iterations > 0 ? options.iterations : 40;
  move_to_start(data, law);
  objective.prior_variance = options.prior_variance.value_or(1.0);
  const auto cells = static_cast<double>(std::ranges::count(data.measured, true));
  TraceProbes probes(data, effort);
  Minimum minimum;
  int iterations = 0;
  bool settled = options.prior_variance.has_value();  // until then a rough mode will do
  for (int update = 0;; ++update) {
    settled = settled || update == effort.updates;
    minimum = minimise(objective, law, settled ? tolerance : std::max(tolerance, 0.5), most);
    iterations += minimum.iterations;
    if (settled) break;
    (void)objective.gradient();
    const double before = objective.prior_variance;
    const double determined = std::max(cells - probes.trace(objective) / before, 1.0);
    objective.prior_variance = std::clamp(objective.squares() / determined, 1e-6, 1e6);
    settled = std::abs(std::log(objective.prior_variance / before)) < effort.settled;
  }
  MarkovFit fit = law.fit();
  fit.stop = minimum.stop;
  fit.certificate = 0.5 * minimum.decrement;
  fit.objective = minimum.value;
  fit.iterations = iterations;
  fit.prior_variance = objective.prior_variance;
  return fit;
}

NaMapObjective na_map_objective(const Measurements& data, std::span<const double> theta,
                                double prior_variance) {
  Law law(data, {});
  law.move_to(theta);
  NaMap objective(data, law);
  objective.prior_variance = prior_variance;
  const double value = objective.look();
  return {value, objective.gradient()};
}

}  // namespace postern::infer::markov
