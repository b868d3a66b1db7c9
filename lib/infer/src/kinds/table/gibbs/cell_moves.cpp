#include <algorithm>
#include <cmath>
#include <optional>

#include "postern/core/draw.hpp"
#include "postern/core/log_concave.hpp"
#include "postern/core/special.hpp"

#include "log_odds.hpp"
#include "pooled_tables.hpp"

// Moves that change n_d = s_dk + rest. Given theta and the other cells, and with p(n) flat, s_dk has weight
// C(rest + s, s) theta_k^s: negative binomial of size rest + 1. The factor n! of the multinomial is in it.

namespace postern::infer {
namespace {

/// s_k given the other cells and theta, times the noise of the cell. Log-concave.
struct CellLaw {
  const CellNoise& noise;
  double rest;
  double log_theta;  ///< and the slope of the prior of n

  [[nodiscard]] double step(double x) const {
    return std::log1p(rest / (x + 1)) + log_theta + noise.log_ratio(x + 1, x);
  }
  [[nodiscard]] double log_ratio(double x, double from) const {
    return log_theta * (x - from) + log_rising(rest + from + 1, x - from) - log_rising(from + 1, x - from) +
           noise.log_ratio(x, from);
  }
};

struct PoissonLaw {
  double log_mean;
  [[nodiscard]] double step(double x) const { return log_mean - std::log(x + 1); }
  [[nodiscard]] double log_ratio(double x, double from) const {
    return log_mean * (x - from) - log_rising(from + 1, x - from);
  }
};

/// A Poisson draw if it is at most `most`; nothing if it is more.
std::optional<std::int64_t> draw_poisson_within(double log_mean, std::int64_t most, Rng& rng) {
  const double room = 4 * static_cast<double>(most) + 1000;
  if (log_mean > std::log(room)) return std::nullopt;  // P(<= most) < e^-400
  const double mean = std::exp(log_mean);
  if (mean == 0) return 0;
  const auto far = static_cast<std::int64_t>(10 * mean + 2000);  // P(> far) < e^-2000
  const std::int64_t x = draw_log_concave(PoissonLaw{log_mean}, 0, far, static_cast<std::int64_t>(mean), rng);
  if (x > most) return std::nullopt;
  return x;
}

}  // namespace

void PooledTables::sweep_cells(State& state, Rng& rng, Info& info) const {
  LogOdds odds(state.log_theta);
  for (std::size_t k = 0; k < cells(); ++k) {
    const double log_theta = log_share(odds.of(k));
    for (std::size_t d = 0; d < datasets(); ++d) {
      std::int64_t& count = state.count[at(d, k)];
      const std::int64_t rest = state.total[d] - count;
      const CellLaw law{noise_[at(d, k)], static_cast<double>(rest), log_theta + log_slope_[d]};
      count = draw_log_concave(law, 0, most_[d] - rest, count, rng);
      state.total[d] = rest + count;
    }
    if (cells() == 1) continue;
    double log_odds = odds.of(k);
    const double before = log_odds;
    ++info.proposed;
    if (!move_cell(state, k, log_odds, rng)) continue;
    ++info.accepted;
    odds.shift(k, log_odds - before);
  }
  for (std::size_t d = 0; d < datasets(); ++d) {
    ++info.proposed;
    if (move_total(state, d, rng)) ++info.accepted;
  }
}

/// Draws which datasets take part in a move of the odds of cell k, the vague ones more often, and gathers
/// what the proposal may know. Nothing that the move changes is looked at.
OddsProposal PooledTables::prepare_cell(State& state, std::size_t k, Rng& rng) const {
  OddsProposal proposal(alpha_[k], alpha_others_[k]);
  for (std::size_t d = 0; d < datasets(); ++d) {
    const double guess = guess_[at(d, k)];
    const double precision = precision_[at(d, k)];
    state.moved[d] = rng.uniform() < std::clamp(1 / (1 + guess * precision), 0.1, 0.9) ? 1 : 0;
    const auto count = static_cast<double>(state.count[at(d, k)]);
    const double rest = static_cast<double>(state.total[d]) - count;
    if (state.moved[d] != 0) {
      proposal.add_sharpness(guess * guess * precision);
      if (precision > 0) proposal.add_guess(guess, rest + 0.5, guess * guess / (1 / precision + guess));
    } else {
      proposal.add_sharpness(guess);
      proposal.add_counts(count, rest);
      proposal.add_guess(count + 0.5, rest + 0.5, guess);
    }
  }
  return proposal;
}

/// Ancillary: the odds of theta_k against all others move from rho to rho', the others keep their
/// proportions, and in the datasets that take part s_dk follows. It is Poisson with mean rho g, g a gamma
/// variable of size rest + 1: with g and the Poisson process kept, s_dk is thinned (rho' < rho) or gains
/// what falls between (rho' > rho), and remains negative binomial. Each weight of such a dataset lacks one
/// factor 1 - theta_k of that law.
bool PooledTables::move_cell(State& state, std::size_t k, double& log_odds, Rng& rng) const {
  const OddsProposal proposal = prepare_cell(state, k, rng);
  auto [proposed, log_ratio] = proposal.draw(log_odds, rng);
  const double lacking = log_share(-proposed) - log_share(-log_odds);
  for (std::size_t d = 0; d < datasets(); ++d) {
    if (state.moved[d] == 0) continue;
    const std::int64_t count = state.count[at(d, k)];
    std::int64_t change = 0;
    if (proposed < log_odds) {
      change = -draw_binomial(count, -std::expm1(proposed - log_odds), rng);
    } else if (proposed > log_odds) {
      // g given s_dk has size rest + 1 + s_dk and rate 1 + rho.
      const double log_g =
          draw_log_gamma(static_cast<double>(state.total[d] + 1), rng) + log_share(-log_odds);
      const auto gained = draw_poisson_within(log_g + proposed + log1m_exp(log_odds - proposed),
                                              most_[d] - state.total[d], rng);
      if (!gained) return false;
      change = *gained;
    }
    state.proposal[d] = change;
    const auto x = static_cast<double>(count);
    const auto t = static_cast<double>(change);
    log_ratio += noise_[at(d, k)].log_ratio(x + t, x) + log_slope_[d] * t - lacking;
  }
  if (!accept(log_ratio, rng)) return false;
  for (std::size_t d = 0; d < datasets(); ++d) {
    if (state.moved[d] == 0) continue;
    state.count[at(d, k)] += state.proposal[d];
    state.total[d] += state.proposal[d];
  }
  log_odds = proposed;
  return true;
}

/// Proposes other records for dataset d, theta kept. Either afresh, n from 0..most; or by keeping each record
/// with probability c; or by the reverse of that, from n to n + x with probability C(n + x, x) c^{n+1}
/// (1-c)^x, the x new records drawn from theta. Keeping and its reverse balance up to a factor c.
bool PooledTables::propose_total(State& state, std::size_t d, double& log_accept, Rng& rng) const {
  const std::span<std::int64_t> count(state.count.data() + at(d, 0), cells());
  const std::span<std::int64_t> next(state.proposal.data(), cells());
  const auto draw_records = [&](std::int64_t n) {
    std::vector<double> theta(cells());
    const double norm = log_sum_exp(state.log_theta);
    for (std::size_t k = 0; k < cells(); ++k) theta[k] = std::exp(state.log_theta[k] - norm);
    draw_multinomial(n, theta, next, rng);
  };
  log_accept = 0;
  if (rng.uniform() < 0.25) {
    draw_records(static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(most_[d]) + 1, rng)));
    return true;
  }
  double information = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    const double guess = guess_[at(d, k)];
    information += guess * guess * precision_[at(d, k)];
  }
  const double log_c = -std::abs(draw_step(information, rng));
  if (rng.uniform() < 0.5) {
    log_accept = log_c;
    for (std::size_t k = 0; k < cells(); ++k)
      next[k] = count[k] - draw_binomial(count[k], -std::expm1(log_c), rng);
    return true;
  }
  log_accept = -log_c;
  const double log_g = draw_log_gamma(static_cast<double>(state.total[d] + 1), rng);
  const auto gained = draw_poisson_within(log_g + log1m_exp(log_c) - log_c, most_[d] - state.total[d], rng);
  if (!gained) return false;
  draw_records(*gained);
  for (std::size_t k = 0; k < cells(); ++k) next[k] += count[k];
  return true;
}

bool PooledTables::move_total(State& state, std::size_t d, Rng& rng) const {
  double log_ratio = 0;
  if (!propose_total(state, d, log_ratio, rng)) return false;
  std::int64_t total = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    total += state.proposal[k];
    log_ratio += noise_[at(d, k)].log_ratio(static_cast<double>(state.proposal[k]),
                                            static_cast<double>(state.count[at(d, k)]));
  }
  log_ratio += log_slope_[d] * static_cast<double>(total - state.total[d]);
  if (!accept(log_ratio, rng)) return false;
  std::copy_n(state.proposal.begin(), cells(), state.count.begin() + static_cast<std::ptrdiff_t>(at(d, 0)));
  state.total[d] = total;
  return true;
}

}  // namespace postern::infer
