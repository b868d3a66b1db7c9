#include "theta_posterior.hpp"

#include <cmath>

#include "starting_line.hpp"

namespace postern::infer {

ThetaPosterior::ThetaPosterior(std::vector<NumberProblem> problems, int threads)
    : line_(problems.front().law->space(0)) {
  std::vector<const SetLikelihood*> sets;
  for (NumberProblem& problem : problems) {
    sets_.push_back(std::make_unique<SetLikelihood>(std::move(problem)));
    sets.push_back(sets_.back().get());
  }
  density_.emplace([this](double z, const AccuracyGoal& goal) { return log_density(z, goal); },
                   starting_line(sets, line_), threads);
  mean_ = density_->expect([&](double z) { return line_.theta(z); });
  sd_ = std::sqrt(density_->expect([&](double z) {
    const double d = line_.theta(z) - mean_;
    return d * d;
  }));
  for (const auto& set : sets_) set->settle(*density_, line_, threads);
}

double ThetaPosterior::log_density(double z, AccuracyGoal goal) const {
  const NumberProblem& problem = sets_.front()->problem();
  double sum = problem.law->log_prior_on_line(problem.prior, z);
  // How well one of several sets must be known depends on the others.
  if (sets_.size() > 1) goal = {};
  for (const auto& set : sets_) sum += set->log_at(line_.theta(z), goal.less(sum));
  return sum;
}

double ThetaPosterior::log_evidence() const {
  double sum = density_->log_integral();
  for (const auto& set : sets_) sum += noise_constant(set->problem());
  return sum;
}

}  // namespace postern::infer
