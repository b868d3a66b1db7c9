#include "postern/infer/kinds/table/gibbs/bounded_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/truncated_draw.hpp"
#include "postern/infer/chains/slice.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/noise/scale_mixture.hpp"

// Notation of the source: p the probabilities, a_k = n p_k + sigma_k^2. A cell that is not seen has sigma^2 =
// infinity, so everything is written with the precision 1 / sigma^2.

namespace postern::infer {
namespace {

constexpr int kRedraws = 100;
/// A table with more counts below 0 than this is one of many: redrawing will not help.
constexpr std::size_t kHopeless = 8;

}  // namespace

static_assert(Kernel<BoundedTable>);

BoundedTable::BoundedTable(const CountProblem& problem)
    : alpha_(problem.alpha), noisy_values_(problem.noisy_values), n_(problem.total) {
  if (alpha_.size() < 2 || noisy_values_.size() != alpha_.size())
    throw Error(ErrorCode::bad_value, {"a table needs two cells or more, each with its noisy values"});
}

void BoundedTable::weigh(State& state) const {
  auto latent = state.noise.begin();
  for (std::size_t k = 0; k < cells(); ++k) {
    double precision = 0;
    double weighted = 0;
    for (const NoisyValue& noisy_value : noisy_values_[k]) {
      const auto* normal = std::get_if<release::DiscreteGaussian>(&noisy_value.law);
      const double share = 1 / (normal != nullptr ? normal->sigma2() : *latent++);
      precision += share;
      weighted += share * noisy_value.y;
    }
    state.precision[k] = precision;
    state.value[k] = precision > 0 ? weighted / precision : 0;
  }
}

/// log N(y; n p, n (diag p - p p') + sigma^2), up to what does not depend on n.
double BoundedTable::log_likelihood(double n, const State& state) const {
  double log_determinant = 0;
  double slack = 0;  // 1 - n sum p^2 / a
  double square = 0;
  double along = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    const double p = state.theta[k];
    const double grown = 1 + n * p * state.precision[k];
    const double miss = state.value[k] - n * p;
    const double pull = miss * (state.precision[k] / grown);
    log_determinant += std::log(grown);
    slack += p / grown;
    square += miss * pull;
    along += p * pull;
  }
  return -0.5 * (log_determinant + std::log(slack) + square + along * (n * along / slack));
}

void BoundedTable::draw_n(State& state, Rng& rng) const {
  const auto log_density = [&](double place) {
    const double n = n_.at(place);
    return n_.log_slope * n + log_likelihood(n, state);
  };
  double noise = 0;
  for (const double precision : state.precision) noise += precision > 0 ? 1 / precision : 0;
  const double width = std::clamp(2 * std::sqrt(noise), 1.0, n_.most + 1);
  const SliceRange range{-0.5, n_.most + 0.5, width};
  state.place = draw_slice(state.place, log_density(state.place), range, log_density, rng);
  const double before = state.n;
  state.n = n_.at(state.place);
  for (std::size_t k = 0; k < cells(); ++k)
    state.count[k] = before > 0 ? state.count[k] * (state.n / before) : state.n * state.theta[k];
}

/// A table from the untruncated law; how many of its counts are below 0.
std::size_t BoundedTable::propose(State& state, Rng& rng) const {
  const double n = state.n;
  const double root = std::sqrt(n);
  std::vector<double>& s = state.proposal;
  double along = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    s[k] = std::sqrt(state.theta[k]) * draw_normal(rng);
    along += s[k];
  }
  double slack = 0;
  double drift = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    const double p = state.theta[k];
    s[k] = n * p + root * (s[k] - p * along);
    const double precision = state.precision[k];
    const double grown = 1 + n * p * precision;
    const double scale = std::sqrt(precision);
    state.pull[k] = scale * (scale * (state.value[k] - s[k]) - draw_normal(rng)) / grown;
    slack += p / grown;
    drift += p * state.pull[k];
  }
  const double turn = n * drift / slack;
  double mean_pull = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    const double precision = state.precision[k];
    state.pull[k] += turn * state.theta[k] * (precision / (1 + n * state.theta[k] * precision));
    mean_pull += state.theta[k] * state.pull[k];
  }
  std::size_t below = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    s[k] += n * state.theta[k] * (state.pull[k] - mean_pull);
    below += s[k] < 0 ? 1 : 0;
  }
  return below;
}

/// Two cells at a time, given their sum: the likeliest cell with each of the others. On tables of sum n the
/// normal law is that of independent N(n p_k, n p_k).
void BoundedTable::sweep_pairs(State& state, Rng& rng) const {
  std::vector<double>& s = state.count;
  const auto pivot = static_cast<std::size_t>(std::max_element(state.theta.begin(), state.theta.end()) -
                                              state.theta.begin());
  const double own = 1 / std::max(state.n * state.theta[pivot], 1e-300);
  for (std::size_t k = 0; k < cells(); ++k) {
    if (k == pivot) continue;
    const double both = s[k] + s[pivot];
    const double expected = state.n * state.theta[k];
    const double other = 1 / std::max(expected, 1e-300);
    const double precision = other + own + state.precision[k] + state.precision[pivot];
    const double mean = other / precision * expected +
                        own / precision * (both - state.n * state.theta[pivot]) +
                        state.precision[k] / precision * state.value[k] +
                        state.precision[pivot] / precision * (both - state.value[pivot]);
    s[k] = draw_truncated_normal(mean, 1 / std::sqrt(precision), 0, both, rng);
    s[pivot] = both - s[k];
  }
  double others = 0;
  for (std::size_t k = 0; k < cells(); ++k) others += k == pivot ? 0 : s[k];
  s[pivot] = std::max(state.n - others, 0.0);
}

void BoundedTable::draw_noise(State& state, Rng& rng) const {
  auto latent = state.noise.begin();
  for (std::size_t k = 0; k < cells(); ++k) {
    for (const NoisyValue& noisy_value : noisy_values_[k]) {
      if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&noisy_value.law))
        *latent++ = draw_mixture_variance(noisy_value.y - state.count[k], 1 / laplace->lambda(), rng);
    }
  }
}

void BoundedTable::draw_theta(State& state, Rng& rng) const {
  for (std::size_t k = 0; k < cells(); ++k) state.shape[k] = alpha_[k] + state.count[k];
  draw_dirichlet(state.shape, state.theta, rng);
}

BoundedTable::State BoundedTable::init(Rng& rng) const {
  State state;
  for (auto* row : {&state.theta, &state.count, &state.value, &state.precision, &state.proposal, &state.pull,
                    &state.shape})
    row->resize(cells());
  for (const auto& cell : noisy_values_) {
    for (const NoisyValue& noisy_value : cell) {
      if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&noisy_value.law))
        state.noise.push_back(2 / (laplace->lambda() * laplace->lambda()));
    }
  }
  weigh(state);
  double seen = 0;
  for (std::size_t k = 0; k < cells(); ++k) seen += std::clamp(state.value[k], 0.0, n_.most);
  state.place = n_.guess(seen);
  state.n = n_.at(state.place);
  const double prior = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
  double total = 0;
  for (std::size_t k = 0; k < cells(); ++k) {
    const double guess = state.precision[k] > 0 ? state.value[k] : state.n * alpha_[k] / prior;
    state.count[k] = std::clamp(guess, 0.0, std::max(state.n, 1.0)) + 0.5;
    total += state.count[k];
  }
  for (double& count : state.count) count *= state.n / total;
  draw_theta(state, rng);
  return state;
}

BoundedTable::Info BoundedTable::step(State& state, Rng& rng) const {
  Info info;
  if (n_.latent) draw_n(state, rng);
  std::size_t below = 0;
  do {
    below = propose(state, rng);
    info.redrawn += below > 0 ? 1 : 0;
  } while (below > 0 && below <= kHopeless && info.redrawn < kRedraws);
  if (below == 0) {
    state.count.swap(state.proposal);
  } else {
    sweep_pairs(state, rng);
    info.swept = true;
  }
  draw_noise(state, rng);
  weigh(state);
  draw_theta(state, rng);
  return info;
}

void BoundedTable::read(const State& state, std::span<double> out) const {
  std::copy(state.theta.begin(), state.theta.end(), out.begin());
  if (n_.latent) out[cells()] = state.n;
}

ChainRun draw_bounded_table(const CountProblem& problem, const DriverOptions& options,
                            const Conversation& conversation) {
  return run_chains(BoundedTable(problem), options, conversation);
}

}  // namespace postern::infer
