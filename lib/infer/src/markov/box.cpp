#include "markov/box.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace postern::infer::markov {
namespace {

constexpr std::size_t kMemory = 20;

/// A look at the dual, and steps down it.
class BoxDescent {
 public:
  BoxDescent(const Measurements& data, const BoxProblem& problem, Law& law)
      : data_(data),
        law_(law),
        start_(problem.start),
        cells_(data.dimension()),
        gradient_(data.values.size()) {
    for (const Measurements::Value& value : data.values) {
      const bool laplace = value.scale > 0;
      bounds_.push_back(laplace ? problem.step / value.scale : std::numeric_limits<double>::infinity());
      ridges_.push_back(laplace ? 0 : value.variance / problem.step);
    }
  }

  double look(const std::vector<double>& lambda) {
    std::ranges::fill(cells_, 0.0);
    add_to_cells(data_, lambda, cells_);
    law_.move(start_, cells_);
    double value = data_.total * law_.log_partition();
    gap_ = 0;
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      const double y = data_.values[i].y;
      const double r = y - data_.total * law_.marginals()[data_.values[i].cell];
      gradient_[i] = ridges_[i] * lambda[i] - r;
      value += lambda[i] * (0.5 * ridges_[i] * lambda[i] - y);
      gap_ += ridges_[i] > 0 ? gradient_[i] * gradient_[i] / (2 * ridges_[i])
                             : std::max(0.0, std::abs(r) * bounds_[i] - lambda[i] * r);
    }
    return value;
  }
  [[nodiscard]] double gap() const { return gap_; }
  [[nodiscard]] const std::vector<double>& gradient() const { return gradient_; }

  void clip(std::vector<double>& lambda) const {
    for (std::size_t i = 0; i < lambda.size(); ++i)
      lambda[i] = std::clamp(lambda[i], -bounds_[i], bounds_[i]);
  }

  /// What is not held at its bound by the gradient.
  void free_to_move(const std::vector<double>& lambda, std::vector<bool>& free) const {
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      free[i] =
          !(lambda[i] >= bounds_[i] && gradient_[i] < 0) && !(lambda[i] <= -bounds_[i] && gradient_[i] > 0);
    }
  }

  /// A guess at the second derivative of one value's parameter.
  [[nodiscard]] double curvature(std::size_t i) const {
    const double mu = law_.marginals()[data_.values[i].cell];
    return data_.total * mu * (1 - mu) + ridges_[i] +
           1e-3 * data_.total / static_cast<double>(data_.dimension());
  }

 private:
  const Measurements& data_;
  Law& law_;
  const std::vector<double>& start_;
  std::vector<double> bounds_;
  std::vector<double> ridges_;
  std::vector<double> cells_;
  std::vector<double> gradient_;
  double gap_ = 0;
};

/// Differences of steps and of gradients: what is known of curvature.
class Memory {
 public:
  void clear() { pairs_.clear(); }
  void add(std::vector<double> step, std::vector<double> change) {
    pairs_.push_back({std::move(step), std::move(change), 0});
    if (pairs_.size() > kMemory) pairs_.pop_front();
  }

  /// direction = -(inverse of curvature) gradient on what is free, 0 elsewhere.
  void direction(const BoxDescent& descent, const std::vector<bool>& free, std::vector<double>& out) {
    const auto dot_free = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += free[i] ? a[i] * b[i] : 0;
      return sum;
    };
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = free[i] ? -descent.gradient()[i] : 0;
    std::vector<double> products(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      Pair& pair = pairs_[k];
      products[k] = dot_free(pair.step, pair.change);
      if (products[k] <= 0) continue;
      pair.alpha = dot_free(pair.step, out) / products[k];
      for (std::size_t i = 0; i < out.size(); ++i) out[i] -= free[i] ? pair.alpha * pair.change[i] : 0;
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] /= descent.curvature(i);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const Pair& pair = pairs_[k];
      if (products[k] <= 0) continue;
      const double beta = dot_free(pair.change, out) / products[k];
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += free[i] ? (pair.alpha - beta) * pair.step[i] : 0;
    }
  }

 private:
  struct Pair {
    std::vector<double> step;
    std::vector<double> change;
    double alpha = 0;
  };
  std::deque<Pair> pairs_;
};

}  // namespace

void add_to_cells(const Measurements& data, std::span<const double> lambda, std::span<double> theta) {
  for (std::size_t i = 0; i < lambda.size(); ++i) theta[data.values[i].cell] += lambda[i];
}

BoxSolution solve_box(const Measurements& data, const BoxProblem& problem, Law& law, double tolerance,
                      int most, std::vector<double> lambda) {
  BoxSolution out;
  out.lambda = lambda.empty() ? std::vector<double>(data.values.size()) : std::move(lambda);
  BoxDescent descent(data, problem, law);
  descent.clip(out.lambda);
  out.value = descent.look(out.lambda);
  Memory memory;
  std::vector<bool> free(out.lambda.size());
  std::vector<double> direction(out.lambda.size());
  bool fresh = true;
  while (descent.gap() > tolerance && out.iterations < most) {
    const std::vector<double> before = descent.gradient();
    const double gap = descent.gap();
    descent.free_to_move(out.lambda, free);
    memory.direction(descent, free, direction);
    const double noise = 1e-14 * (1 + std::abs(out.value));
    double by = 1;
    double value = 0;
    std::vector<double> next;
    for (; by > 1e-12; by *= 0.5) {
      next = out.lambda;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] += by * direction[i];
      descent.clip(next);
      double slope = 0;
      for (std::size_t i = 0; i < next.size(); ++i) slope += before[i] * (next[i] - out.lambda[i]);
      value = descent.look(next);
      if (slope <= 0 && value <= out.value + 1e-4 * slope + (descent.gap() < gap ? noise : 0)) break;
    }
    ++out.iterations;
    if (by <= 1e-12) {
      out.value = descent.look(out.lambda);
      if (fresh) break;
      memory.clear();
      fresh = true;
      continue;
    }
    fresh = false;
    std::vector<double> step(next);
    std::vector<double> change(descent.gradient());
    for (std::size_t i = 0; i < step.size(); ++i) {
      step[i] -= out.lambda[i];
      change[i] -= before[i];
    }
    memory.add(std::move(step), std::move(change));
    out.lambda.swap(next);
    out.value = value;
  }
  out.gap = descent.gap();
  out.certified = out.gap <= tolerance;
  return out;
}

}  // namespace postern::infer::markov
