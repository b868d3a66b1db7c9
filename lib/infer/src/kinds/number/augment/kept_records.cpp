#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

// A column that drops records: n counts the kept ones, whose law is that of the family given that a record is
// kept. Swaps, offers, resizing and re-drawing need draws of that law and no more; only theta given the
// records is no longer conjugate, by a factor P(kept | theta)^-n.

namespace postern::infer {
namespace {

constexpr int kStarts = 20;      ///< thetas tried before a chain begins where hardly a record is kept
constexpr double kHardly = -10;  ///< log P(kept) of such a theta

}  // namespace

void RecordChain::draw_kept(const model::KeptMass& mass, const WholeTable* table, std::span<double> t,
                            Rng& rng) const {
  const auto any = [&](Rng& from) {
    return table != nullptr ? table->draw(from) : problem_.law->draw(mass.theta, from);
  };
  for (double& one : t) one = kept_.draw(mass, rng, any);
}

/// For drawing. Kept records of all rates near 0 have one law, which a rate of 1e-300 is slow to draw from.
model::KeptMass RecordChain::mass_at(model::Theta theta) const {
  if (kept_.drops() && problem_.law->space(0) != model::ParameterSpace::real) {
    const double edge = std::max(std::abs(kept_.from()), std::abs(kept_.to()));
    theta[0] = std::max(theta[0], 1e-20 / std::max(1.0, edge));
  }
  return kept_.mass(theta);
}

void RecordChain::start_kept(State& state, Rng& rng) const {
  state.mass = kept_.mass(state.theta);
  for (int i = 0; i < kStarts && !(state.mass.log_kept > kHardly); ++i) {
    const model::KeptMass mass = kept_.mass(problem_.law->draw_theta(problem_.prior, rng));
    if (mass.log_kept > state.mass.log_kept) state.mass = mass;
  }
  state.theta = state.mass.theta;
}

void RecordChain::draw_theta(State& state, Rng& rng) const {
  if (flat(state.theta)) {
    const model::Theta theta = problem_.law->draw_theta(problem_.prior, rng);
    if (flat(theta)) state.theta = theta;
    return;
  }
  const auto prior = after(state.prior, state.t);
  if (!prior) return;
  if (!kept_.drops() && state.others.empty()) {
    const model::Theta theta = problem_.law->draw_theta(*prior, rng);
    if (!flat(theta)) state.theta = theta;
    return;
  }
  state.others.push_back({&kept_, static_cast<double>(state.t.size())});
  step_kept_theta(*problem_.law, problem_.parameters, *prior, state.others, state.theta, rng);
  state.others.pop_back();
}

double RecordChain::log_others(const State& state, const model::Theta& to) {
  if (state.others.empty()) return 0;
  const double there = log_kept_power(state.others, to);
  return std::isfinite(there) ? log_kept_power(state.others, state.theta) - there : kMinusInfinity;
}

}  // namespace postern::infer
