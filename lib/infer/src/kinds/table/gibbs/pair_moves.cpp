#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/log_concave.hpp"
#include "postern/core/special.hpp"

#include "log_odds.hpp"
#include "pooled_tables.hpp"

// Moves that keep every n_d: what two cells j and k hold together, m_d, stays, and is divided anew. Given all
// else, their share r = theta_j / (theta_j + theta_k) ~ Beta(alpha_j, alpha_k) and s_dj ~ Binomial(m_d, r).

namespace postern::infer {
namespace {

/// s_j given m = s_j + s_k and theta: binomial times the noise of both cells. Log-concave.
struct SplitLaw {
  const CellNoise& first;
  const CellNoise& second;
  double m;
  double log_odds;

  [[nodiscard]] double step(double x) const {
    return std::log((m - x) / (x + 1)) + log_odds + first.log_ratio(x + 1, x) +
           second.log_ratio(m - x - 1, m - x);
  }
  [[nodiscard]] double log_ratio(double x, double from) const {
    return log_odds * (x - from) - log_rising(from + 1, x - from) - log_rising(m - from + 1, from - x) +
           first.log_ratio(x, from) + second.log_ratio(m - x, m - from);
  }
};

}  // namespace

void PooledTables::sweep_pairs(State& state, Rng& rng, Info& info) const {
  const auto visit = [&](std::size_t j, std::size_t k) {
    for (std::size_t d = 0; d < datasets(); ++d) draw_pair(state, d, j, k, rng);
    ++info.proposed;
    if (move_share(state, j, k, rng)) ++info.accepted;
  };
  if (cells() < 2) return;
  for (std::size_t k = 0; !latent_ && k < cells(); ++k) {
    if (k != pivot_) visit(k, pivot_);
  }
  // Latent totals have moves of single cells; pairs are for sharp values that hold a total fast.
  const std::size_t more = latent_ ? (cells() + 3) / 4 : cells() > 2 ? cells() / 2 : 0;
  for (std::size_t i = 0; i < more; ++i) {
    const std::size_t j = draw_below(cells(), rng);
    const std::size_t k = draw_below(cells() - 1, rng);
    visit(j, k < j ? k : k + 1);
  }
}

void PooledTables::draw_pair(State& state, std::size_t d, std::size_t j, std::size_t k, Rng& rng) const {
  std::int64_t& first = state.count[at(d, j)];
  std::int64_t& second = state.count[at(d, k)];
  const std::int64_t m = first + second;
  if (m == 0) return;
  const SplitLaw law{noise_[at(d, j)], noise_[at(d, k)], static_cast<double>(m),
                     state.log_theta[j] - state.log_theta[k]};
  first = draw_log_concave(law, 0, m, first, rng);
  second = m - first;
}

/// What the noisy values of two cells say about their odds, given what they hold together.
void PooledTables::guess_odds(OddsProposal& proposal, std::size_t d, std::size_t j, std::size_t k,
                              double m) const {
  if (m < 1) return;
  const double p = precision_[at(d, j)];
  const double q = precision_[at(d, k)];
  if (p + q == 0) return;
  const double centre =
      std::clamp((p * value_[at(d, j)] + q * (m - value_[at(d, k)])) / (p + q), 0.5, m - 0.5);
  const double first = std::max(centre, 0.5 * std::min(1 / std::sqrt(p + q), m / 2));
  const double second = std::max(m - centre, 0.5 * std::min(1 / std::sqrt(p + q), m / 2));
  const double spread = first * second / (first + second);
  proposal.add_guess(first, second, spread * spread / (1 / (p + q) + spread));
}

/// Draws which datasets take part in a move of the odds of j against k, the vague ones more often, and
/// gathers what the proposal may know. Nothing that the move changes is looked at.
OddsProposal PooledTables::prepare_share(State& state, std::size_t j, std::size_t k, Rng& rng) const {
  OddsProposal proposal(alpha_[j], alpha_[k]);
  for (std::size_t d = 0; d < datasets(); ++d) {
    const double p = guess_[at(d, j)];
    const double q = guess_[at(d, k)];
    const double spread = p * q / (p + q);
    const double sharpness = spread * (precision_[at(d, j)] + precision_[at(d, k)]);
    state.moved[d] = rng.uniform() < std::clamp(1 / (1 + sharpness), 0.1, 0.9) ? 1 : 0;
    const auto first = static_cast<double>(state.count[at(d, j)]);
    const auto second = static_cast<double>(state.count[at(d, k)]);
    if (state.moved[d] != 0) {
      proposal.add_sharpness(spread * sharpness);
      guess_odds(proposal, d, j, k, first + second);
    } else {
      proposal.add_sharpness(spread);
      proposal.add_counts(first, second);
      proposal.add_guess(first + 0.5, second + 0.5, spread);
    }
  }
  return proposal;
}

/// Ancillary: r moves, and in the datasets that take part each record keeps its place in (0, 1) while the
/// point r that divides j from k passes it, so that s_dj remains Binomial(m_d, r): some records change sides.
/// Datasets that do not take part keep their counts, which weigh r. Both the choice of datasets and the size
/// of the step are drawn without looking at the state.
bool PooledTables::move_share(State& state, std::size_t j, std::size_t k, Rng& rng) const {
  const OddsProposal proposal = prepare_share(state, j, k, rng);
  const double odds = state.log_theta[j] - state.log_theta[k];
  auto [proposed, log_ratio] = proposal.draw(odds, rng);
  const bool up = proposed > odds;
  const double changes =
      -std::expm1(up ? log_share(-proposed) - log_share(-odds) : log_share(proposed) - log_share(odds));
  for (std::size_t d = 0; d < datasets(); ++d) {
    if (state.moved[d] == 0) continue;
    const std::int64_t first = state.count[at(d, j)];
    const std::int64_t second = state.count[at(d, k)];
    const std::int64_t crossing =
        up ? draw_binomial(second, changes, rng) : -draw_binomial(first, changes, rng);
    state.proposal[d] = crossing;
    const auto x = static_cast<double>(first);
    const auto y = static_cast<double>(second);
    const auto t = static_cast<double>(crossing);
    log_ratio += noise_[at(d, j)].log_ratio(x + t, x) + noise_[at(d, k)].log_ratio(y - t, y);
  }
  if (!accept(log_ratio, rng)) return false;
  for (std::size_t d = 0; d < datasets(); ++d) {
    if (state.moved[d] == 0) continue;
    state.count[at(d, j)] += state.proposal[d];
    state.count[at(d, k)] -= state.proposal[d];
  }
  const double both = log_add_exp(state.log_theta[j], state.log_theta[k]);
  state.log_theta[j] = both + log_share(proposed);
  state.log_theta[k] = both + log_share(-proposed);
  return true;
}

}  // namespace postern::infer
