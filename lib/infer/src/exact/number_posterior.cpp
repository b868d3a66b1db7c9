#include "postern/infer/exact/number_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"

#include "exact/number_grid.hpp"

namespace postern::infer {
namespace {

void check(const NumberProblem& problem) {
  if (problem.parameters != 1 || problem.squares || !problem.square_sums.empty())
    throw Error(ErrorCode::engine_unsuitable,
                {"the exact engine knows families of numbers with one parameter"});
  if (problem.law == nullptr || problem.number.levels() == 0)
    throw Error(ErrorCode::internal, {"a problem of numbers without a law"});
}

}  // namespace

struct NumberPosterior::Grid : NumberGrid {
  using NumberGrid::NumberGrid;
};

NumberPosterior::NumberPosterior(NumberProblem problem, int threads) {
  check(problem);
  grid_ = std::make_unique<const Grid>(std::move(problem), threads);
}
NumberPosterior::NumberPosterior(NumberPosterior&&) noexcept = default;
NumberPosterior& NumberPosterior::operator=(NumberPosterior&&) noexcept = default;
NumberPosterior::~NumberPosterior() = default;

double NumberPosterior::log_evidence() const { return grid_->density().log_integral(); }
double NumberPosterior::mean() const { return grid_->mean(); }
double NumberPosterior::sd() const { return grid_->sd(); }
double NumberPosterior::cdf(double theta) const { return grid_->density().cdf(grid_->line().place(theta)); }
double NumberPosterior::quantile(double p) const { return grid_->line().theta(grid_->density().quantile(p)); }

NumberPosterior::TotalSummary NumberPosterior::total() const {
  return {grid_->total_mean(), grid_->total_sd()};
}
double NumberPosterior::total_quantile(double p) const { return grid_->total_quantile(p); }

NumberPosterior::Draw NumberPosterior::draw(Rng& rng) const {
  const double z = grid_->density().draw(rng);
  return {grid_->line().theta(z), grid_->draw_total(z, rng)};
}

}  // namespace postern::infer
