#include "postern/infer/exact/number_posterior.hpp"

#include <cmath>

#include "postern/core/error.hpp"

#include "exact/number_density.hpp"
#include "exact/number_likelihood.hpp"
#include "exact/number_theta.hpp"

namespace postern::infer {
namespace {

void check(const NumberProblem& problem) {
  if (problem.parameters != 1 || problem.squares || !problem.square_sums.empty())
    throw Error(ErrorCode::engine_unsuitable,
                {"the exact engine knows families of numbers with one parameter"});
  if (!std::holds_alternative<KnownTotal>(problem.total))
    throw Error(ErrorCode::engine_unsuitable, {"the exact engine needs the number of records here"});
  if (problem.law == nullptr || problem.number.levels() == 0)
    throw Error(ErrorCode::internal, {"a problem of numbers without a law"});
}

}  // namespace

struct NumberPosterior::Grid {
  Grid(NumberProblem given, int threads)
      : problem(std::move(given)),
        likelihood(problem),
        line(problem.law->space(0)),
        n(std::get<KnownTotal>(problem.total).n),
        density([this](double z) { return log_density(z); },
                starting_line(problem, line, likelihood, static_cast<double>(n)), threads) {
    mean = density.expect([&](double z) { return line.theta(z); });
    sd = std::sqrt(density.expect([&](double z) {
      const double d = line.theta(z) - mean;
      return d * d;
    }));
  }

  [[nodiscard]] double log_density(double z) const {
    return log_prior_at(problem, line, z) + likelihood.log_at({line.theta(z), 0}, n);
  }

  NumberProblem problem;
  SumLikelihood likelihood;
  ThetaLine line;
  std::int64_t n;
  LineDensity density;
  double mean = 0;
  double sd = 0;
};

NumberPosterior::NumberPosterior(NumberProblem problem, int threads) {
  check(problem);
  grid_ = std::make_unique<const Grid>(std::move(problem), threads);
}
NumberPosterior::NumberPosterior(NumberPosterior&&) noexcept = default;
NumberPosterior& NumberPosterior::operator=(NumberPosterior&&) noexcept = default;
NumberPosterior::~NumberPosterior() = default;

double NumberPosterior::log_evidence() const { return grid_->density.log_integral(); }
double NumberPosterior::mean() const { return grid_->mean; }
double NumberPosterior::sd() const { return grid_->sd; }
double NumberPosterior::cdf(double theta) const { return grid_->density.cdf(grid_->line.place(theta)); }
double NumberPosterior::quantile(double p) const { return grid_->line.theta(grid_->density.quantile(p)); }

NumberPosterior::TotalSummary NumberPosterior::total() const { return {static_cast<double>(grid_->n), 0}; }
double NumberPosterior::total_quantile(double /*p*/) const { return static_cast<double>(grid_->n); }

NumberPosterior::Draw NumberPosterior::draw(Rng& rng) const {
  return {grid_->line.theta(grid_->density.draw(rng)), grid_->n};
}

}  // namespace postern::infer
