#include "markov/ridge.hpp"

#include <algorithm>
#include <cmath>

#include "markov/conjugate_gradients.hpp"

namespace postern::infer::markov {
namespace {

class RidgeNewton {
 public:
  RidgeNewton(const Measurements& data, const RidgeProblem& problem, Law& law)
      : data_(data),
        problem_(problem),
        law_(law),
        gradient_(data.dimension()),
        diagonal_(data.dimension(), 1.0) {}

  /// Value, gradient and gap at lambda.
  double look(const std::vector<double>& lambda) {
    law_.move(problem_.start, lambda);
    double value = problem_.total * law_.log_partition();
    gap_ = 0;
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      if (!data_.measured[i]) continue;
      const double pull = problem_.ridge[i] * lambda[i];
      value += lambda[i] * (0.5 * pull - problem_.y[i]);
      gradient_[i] = problem_.total * law_.marginals()[i] - problem_.y[i] + pull;
      gap_ += gradient_[i] * gradient_[i] / (2 * problem_.ridge[i]);
    }
    return value;
  }
  [[nodiscard]] double gap() const { return gap_; }

  /// The Newton step, nearly; returns gradient . step.
  double direction(std::vector<double>& step, double relative) {
    std::vector<double> down(gradient_);
    for (double& g : down) g = -g;
    for (std::size_t i = 0; i < down.size(); ++i) {
      const double mu = law_.marginals()[i];
      if (data_.measured[i]) diagonal_[i] = problem_.total * mu * (1 - mu) + problem_.ridge[i];
    }
    std::ranges::fill(step, 0.0);
    constexpr int most = 300;
    (void)conjugate_gradients(
        [&](std::span<const double> v, std::span<double> out) {
          law_.covariance_times(v, out);
          for (std::size_t i = 0; i < v.size(); ++i)
            out[i] = data_.measured[i] ? problem_.total * out[i] + problem_.ridge[i] * v[i] : 0;
        },
        diagonal_, down, step, relative, most);
    return dot(gradient_, step);
  }

 private:
  const Measurements& data_;
  const RidgeProblem& problem_;
  Law& law_;
  std::vector<double> gradient_;
  std::vector<double> diagonal_;
  double gap_ = 0;
};

}  // namespace

RidgeSolution solve_ridge(const Measurements& data, const RidgeProblem& problem, Law& law, double tolerance,
                          int most, std::vector<double> lambda) {
  RidgeSolution out;
  out.lambda = lambda.empty() ? std::vector<double>(data.dimension()) : std::move(lambda);
  RidgeNewton newton(data, problem, law);
  out.value = newton.look(out.lambda);
  std::vector<double> step(out.lambda.size());
  std::vector<double> next(out.lambda.size());
  double relative = 0.1;
  while (newton.gap() > tolerance && out.iterations < most) {
    const double slope = newton.direction(step, relative);
    ++out.iterations;
    const double before = newton.gap();
    const double noise = 1e-13 * (1 + std::abs(out.value));  // what rounding hides
    double by = 1;
    double value = 0;
    for (; by > 1e-8; by *= 0.5) {
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = out.lambda[i] + by * step[i];
      value = newton.look(next);
      if (value <= out.value + 1e-4 * by * slope + noise) break;
    }
    if (by <= 1e-8 || (-slope < noise && newton.gap() >= before)) break;
    out.lambda.swap(next);
    out.value = value;
    relative = std::clamp(newton.gap() / before, 1e-8, 0.1);
  }
  out.value = newton.look(out.lambda);
  out.gap = newton.gap();
  out.certified = out.gap <= tolerance;
  return out;
}

}  // namespace postern::infer::markov
