#include "odds_proposal.hpp"

#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "log_odds.hpp"

namespace postern::infer {
namespace {

constexpr double kSteps = 0.3;
constexpr double kFromBeta = 0.3;  ///< of the others

}  // namespace

bool accept(double log_ratio, Rng& rng) { return std::log(rng.uniform()) < log_ratio; }

double draw_step(double information, Rng& rng) {
  const double scale = 2.4 / std::sqrt(information + 0.05);
  return scale * std::exp(0.8 * draw_normal(rng)) * draw_normal(rng);
}

OddsProposal::OddsProposal(double prior_first, double prior_second)
    : a_(prior_first), b_(prior_second), sharpness_(a_ * b_ / (a_ + b_)) {
  add_guess(a_, b_, sharpness_);
}

void OddsProposal::add_counts(double first, double second) {
  a_ += first;
  b_ += second;
}

void OddsProposal::add_guess(double first, double second, double information) {
  information_ += information;
  centre_ += (std::log(first / second) - centre_) * information / information_;
}

double OddsProposal::log_density(double x) const {
  const double beta = a_ * log_share(x) + b_ * log_share(-x) - log_beta(a_, b_);
  const double t = (x - centre_) * std::sqrt(information_);
  const double student = std::log(0.375) + 0.5 * std::log(information_) - 2.5 * std::log1p(t * t / 4);
  return log_add_exp(std::log(kFromBeta) + beta, std::log(1 - kFromBeta) + student);
}

OddsProposal::Step OddsProposal::draw(double from, Rng& rng) const {
  Step step;
  const bool walks = rng.uniform() < kSteps;
  if (walks) {
    step.to = from + draw_step(sharpness_, rng);
  } else if (rng.uniform() < kFromBeta) {
    step.to = draw_log_gamma(a_, rng);
    step.to -= draw_log_gamma(b_, rng);
  } else {
    const double t = draw_normal(rng) / std::sqrt(draw_gamma(2, rng) / 2);
    step.to = centre_ + t / std::sqrt(information_);
  }
  step.log_ratio =
      a_ * (log_share(step.to) - log_share(from)) + b_ * (log_share(-step.to) - log_share(-from));
  if (!walks) step.log_ratio += log_density(from) - log_density(step.to);
  return step;
}

}  // namespace postern::infer
