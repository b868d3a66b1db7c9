#include "set_likelihood.hpp"

#include "postern/core/error.hpp"

#include "kinds/number/exact/private_n/sum_mixture.hpp"

namespace postern::infer {
namespace {

constexpr double kTableNats = 15;      ///< how well the law of n is known
constexpr double kMostWeighed = 1e12;  ///< nats, to be balanced to 1e-3 or so

double size_of(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  return guess_total(problem, sum_lattice(problem.number));
}

}  // namespace

SetLikelihood::SetLikelihood(NumberProblem problem)
    : problem_(std::move(problem)), records_(size_of(problem_)), record_(problem_, records_) {
  if (std::holds_alternative<LatentTotal>(problem_.total)) weight_.emplace(problem_);
}

double SetLikelihood::log_at(double theta, const AccuracyGoal& goal) const {
  SumLikelihood sums(problem_, record_, {theta, 0});
  if (!latent()) return sums.log_at(std::get<KnownTotal>(problem_.total).n, goal);
  const SumMixture mixture(problem_, *weight_, sums, goal);
  if (mixture.usable()) return mixture.log_sum();
  return total_table(problem_, *weight_, sums, mixture.nats()).log_sum();
}

TotalTable SetLikelihood::table_at(double theta) const {
  SumLikelihood sums(problem_, record_, {theta, 0});
  const SumMixture mixture(problem_, *weight_, sums, {.best = kTableNats});
  return mixture.usable() ? mixture.table() : total_table(problem_, *weight_, sums, kTableNats);
}

/// Sums and counts that contradict each other by more nats than doubles can balance.
void SetLikelihood::refuse_unweighable(double theta) const {
  SumLikelihood sums(problem_, record_, {theta, 0});
  if (!sums.possible() || SumMixture(problem_, *weight_, sums, {.best = kTableNats}).weighed() < kMostWeighed)
    return;
  throw Error(ErrorCode::engine_limit, {"the released sum and the number of records contradict each other by "
                                        "more than double precision can weigh; look at the releases"});
}

void SetLikelihood::settle(const LineDensity& density, const ThetaLine& line, int threads) {
  if (!latent()) return;
  refuse_unweighable(line.theta(density.quantile(0.5)));
  total_.emplace([&](double z) { return table_at(line.theta(z)); }, density, weight_->most(), threads);
}

double SetLikelihood::total_quantile(double p) const {
  return total_ ? static_cast<double>(total_->quantile(p)) : records_;
}

std::int64_t SetLikelihood::draw_total(double z, Rng& rng) const {
  return total_ ? total_->draw(z, rng) : std::get<KnownTotal>(problem_.total).n;
}

}  // namespace postern::infer
