#include "postern/infer/kinds/number/augment/record_chain.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/int128.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kCountOdds = 70;  ///< nats of p(n | counts) that are cut away

void check_noisy_values(const std::vector<NoisyValue>& noisy_values) {
  for (const NoisyValue& noisy_value : noisy_values) {
    if (!std::isfinite(noisy_value.y))
      throw Error(ErrorCode::bad_value, {"a released value is not a number"});
  }
}

NumberProblem checked(NumberProblem problem) {
  for (const auto* noisy_values :
       {&problem.sums, &problem.square_sums, &problem.mirrored_sums, &problem.counts, &problem.inside_counts})
    check_noisy_values(*noisy_values);
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const std::int64_t n = known != nullptr ? known->n : std::get<LatentTotal>(problem.total).at_most;
  if (n < 0) throw Error(ErrorCode::bad_value, {"a number of records is negative"});
  if (problem.parameters < 1 || problem.parameters > 2)
    throw Error(ErrorCode::bad_value, {"a family of numbers has one parameter or two"});
  const double most = RecordChain::most_records(problem);
  if (most > RecordChain::kMostRecords) {
    throw Error(ErrorCode::engine_limit,
                {"data augmentation keeps every latent record in memory, and there may be ",
                 public_number(std::llround(std::min(most, 1e18))), "; the limit is ",
                 public_number(std::llround(RecordChain::kMostRecords)),
                 ". Use another engine, or declare a smaller bound on n"});
  }
  return problem;
}

/// The noise of a release, once more: chains start from different plausible values.
double perturbed(const NoisyValue& noisy_value, Rng& rng) {
  return noisy_value.y + static_cast<double>(release::simulate(noisy_value.law, rng));
}

}  // namespace

double RecordChain::most_records(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  const LatentTotal& latent = std::get<LatentTotal>(problem.total);
  auto most = static_cast<double>(latent.at_most);
  if (latent.log_slope > 0) return most;
  for (const NoisyValue& noisy_value : problem.counts) {
    const double y = std::clamp(noisy_value.y, 0.0, most);
    most = std::min(most, std::ceil(y + release::radius(noisy_value.law, kCountOdds)));
  }
  return most;
}

RecordChain::RecordChain(NumberProblem problem)
    : problem_(checked(std::move(problem))),
      finder_(problem_.number),
      kept_(problem_.law, problem_.number, problem_.whole),
      most_(most_records(problem_)),
      noise_(problem_, most_),
      latent_(std::holds_alternative<LatentTotal>(problem_.total)),
      shifts_and_scales_(!problem_.whole && !kept_.drops() &&
                         infer::shifts_and_scales(*problem_.law, problem_.parameters)),
      rising_(problem_.law->moments({0.4, 1}).mean < problem_.law->moments({0.6, 1}).mean),
      farthest_(problem_.squares ? 1e140 : 1e290),
      flat_below_(find_flat()),
      informed_(find_informed()) {}

double RecordChain::find_flat() const {
  const bool real = problem_.law->space(0) == model::ParameterSpace::real;
  if (real || problem_.parameters != 1 || kept_.drops()) return kMinusInfinity;
  for (double theta = 1e-30; theta > 1e-130; theta *= 1e-10) {
    if (problem_.law->tails({theta, 0}, problem_.number.edges.back()).below < 1e-30) return theta;
  }
  return kMinusInfinity;
}

std::optional<model::Hyper> RecordChain::find_informed() const {
  constexpr double kVague = 0.3;  // shapes below it have heaps at 0 or 1
  if (problem_.parameters != 1 || problem_.law->least_shape(problem_.prior) >= kVague) return std::nullopt;
  const auto* known = std::get_if<KnownTotal>(&problem_.total);
  double n = known != nullptr ? static_cast<double>(known->n) : 0.5 * most_;
  if (!problem_.counts.empty()) n = problem_.counts.front().y;
  const double range = finder_.most() - finder_.least();
  const double sum = problem_.sums.empty() ? 0 : problem_.sums.front().y;
  const double k =
      std::clamp(n > 0 ? sum / n : 0, finder_.least() + 0.1 * range, finder_.most() - 0.1 * range);
  const double t = problem_.number.values.zero + problem_.number.values.unit * k;
  const model::Sums one{1, t, t * t};
  if (!problem_.law->possible(one)) return std::nullopt;
  return problem_.law->update(problem_.prior, one);
}

std::size_t RecordChain::guess_size(Rng& rng) const {
  if (const auto* known = std::get_if<KnownTotal>(&problem_.total)) return static_cast<std::size_t>(known->n);
  const double n = problem_.counts.empty() ? std::floor(rng.uniform() * (most_ + 1))
                                           : perturbed(problem_.counts.front(), rng);
  return static_cast<std::size_t>(std::clamp(n, 0.0, most_));
}

/// From the conjugate posterior of records that add up to what was seen, once more perturbed.
model::Theta RecordChain::guess_theta(std::size_t n, Rng& rng) const {
  const model::NumberLaw& law = *problem_.law;
  const auto size = static_cast<double>(n);
  const double range = finder_.most() - finder_.least();
  if (n == 0 || (problem_.sums.empty() && problem_.mirrored_sums.empty()))
    return law.draw_theta(problem_.prior, rng);
  const double sum = !problem_.sums.empty()
                         ? perturbed(problem_.sums.front(), rng)
                         : size * finder_.most() - perturbed(problem_.mirrored_sums.front(), rng);
  const double k = std::clamp(sum / size, finder_.least() + 0.01 * range, finder_.most() - 0.01 * range);
  double variance = range * range / 16;
  if (!problem_.square_sums.empty()) {
    const double square = perturbed(problem_.square_sums.front(), rng) / size;
    variance = std::clamp(square - k * k, 1e-4 * range * range, range * range / 4);
  }
  const auto& [adds, zero, unit] = problem_.number.values;
  const double t = zero + unit * k;
  const model::Sums sums{size, size * t, size * (t * t + unit * unit * variance)};
  return law.draw_theta(law.possible(sums) ? law.update(problem_.prior, sums) : problem_.prior, rng);
}

RecordChain::State RecordChain::init(Rng& rng) const {
  State state;
  state.prior = problem_.prior;
  const std::size_t n = guess_size(rng);
  state.theta = guess_theta(n, rng);
  state.theta[0] = flat(state.theta) ? flat_below_ : state.theta[0];
  state.t.resize(n);
  state.k.resize(n);
  start_kept(state, rng);
  draw_records(state.mass, nullptr, state.t, state.k, rng);
  state.totals = add_up(state.k);
  return state;
}

const WholeTable* RecordChain::tabulate(State& state, const model::Theta& theta, std::size_t draws) const {
  return problem_.whole && state.table.fill(*problem_.law, theta, draws) ? &state.table : nullptr;
}

void RecordChain::draw_records(const model::KeptMass& mass, const WholeTable* table, std::span<double> t,
                               std::span<std::int32_t> k, Rng& rng) const {
  const model::NumberLaw& law = *problem_.law;
  double* t_at = t.data();
  std::int32_t* k_at = k.data();
  const std::size_t size = t.size();
  if (kept_.drops()) {
    draw_kept(mass, table, t, rng);
  } else if (table != nullptr) {
    for (std::size_t i = 0; i < size; ++i) t_at[i] = table->draw(rng);
  } else {
    for (std::size_t i = 0; i < size; ++i) t_at[i] = law.draw(mass.theta, rng);
  }
  for (std::size_t i = 0; i < size; ++i) {
    t_at[i] = std::clamp(t_at[i], -farthest_, farthest_);
    k_at[i] = finder_.adds(t_at[i]);
  }
}

/// Exact however large: a square is below 2^42, and at most 2^20 of them are added in 64 bits.
Totals RecordChain::add_up(std::span<const std::int32_t> k) const {
  Totals out{static_cast<double>(k.size()), 0, 0};
  std::int64_t sum = 0;
  Int128 squares = 0;
  constexpr std::size_t kPart = std::size_t{1} << 20;
  for (std::size_t start = 0; start < k.size(); start += kPart) {
    const std::int32_t* at = k.data() + start;
    const std::size_t size = std::min(kPart, k.size() - start);
    for (std::size_t i = 0; i < size; ++i) sum += at[i];
    if (!problem_.squares) continue;
    std::int64_t part = 0;
    for (std::size_t i = 0; i < size; ++i) part += std::int64_t{at[i]} * at[i];
    squares += part;
  }
  if (noise_.inside_seen()) {
    out.inside =
        static_cast<double>(std::count_if(k.begin(), k.end(), [&](auto one) { return finder_.inside(one); }));
  }
  out.sum = static_cast<double>(sum);
  out.squares = static_cast<double>(squares);
  return out;
}

/// A law of squares is normal: it is updated about the records' own mean, since sums of squares of records
/// far from 0 have no digits left for their spread.
std::optional<model::Hyper> RecordChain::after(const model::Hyper& prior,
                                               std::span<const double> records) const {
  const std::size_t n = records.size();
  const double* t = records.data();
  const auto add = [&](auto term) {
    double sum[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      for (std::size_t j = 0; j < 4; ++j) sum[j] += term(t[i + j]);
    }
    for (; i < n; ++i) sum[0] += term(t[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  };
  const model::NumberLaw& law = *problem_.law;
  model::Sums sums{static_cast<double>(n), add([](double x) { return x; }), 0};
  if (!problem_.squares || n == 0) {
    if (!law.possible(sums)) return std::nullopt;
    return law.update(prior, sums);
  }
  const double centre = sums.t / sums.n;
  sums.t = add([centre](double x) { return x - centre; });
  sums.squares = add([centre](double x) { return (x - centre) * (x - centre); });
  model::Hyper about = prior;
  about[0] -= centre;
  about = law.update(about, sums);
  about[0] += centre;
  return about;
}

RecordChain::Info RecordChain::step(State& state, Rng& rng) const {
  draw_theta(state, rng);
  state.mass = mass_at(state.theta);
  if (!state.mass.any()) return {};
  const Info info = swap_records(state, rng);
  std::size_t taken = 0;
  swap_blocks(state, state.tuning.blocks, rng);
  for (std::size_t i = 0; i < state.tuning.offers; ++i) taken += offer_record(state, rng) ? 1 : 0;
  if (latent_ && most_ > 0) {
    resize(state, rng);
    slide(state, rng);
  }
  redraw_in_turn(state, rng);
  if (state.tuning.steps < kTuning) {
    Tuning& tuning = state.tuning;
    if (info.proposed > 0) {
      const double rate = static_cast<double>(info.accepted) / static_cast<double>(info.proposed);
      tuning.swap_rate += 0.05 * (rate - tuning.swap_rate);
      tuning.offer_rate += 0.05 * (static_cast<double>(taken) - tuning.offer_rate);
    }
    if (++tuning.steps == kTuning) tune(state);
  }
  return info;
}

/// Offers cost about n kOfferRecord + kOffer, a swap kSwap: as many as take the time of the swaps, if they
/// change more records in that time than swaps do. Re-drawing that hardly ever succeeds becomes rare.
void RecordChain::tune(State& state) const {
  constexpr double kSwap = 25;  // ns
  constexpr double kOffer = 60;
  constexpr double kOfferRecord = 2;
  constexpr double kSwapsFail = 0.5;
  constexpr std::size_t kMostBlocks = 64;
  Tuning& tuning = state.tuning;
  const auto n = static_cast<double>(state.t.size());
  const double cost = kOffer + kOfferRecord * n;
  const bool pays = tuning.offer_rate / cost > tuning.swap_rate / kSwap;
  tuning.offers = pays ? static_cast<std::size_t>(std::ceil(kSwap * n / cost)) : 0;
  tuning.blocks = tuning.swap_rate < kSwapsFail ? std::min(state.t.size() / 2, kMostBlocks) : 0;
  for (std::size_t p = 0; p < problem_.parameters; ++p)
    tuning.pause[p] = tuning.redraw_rate[p] < 0.02 ? 15 : 0;
}

void RecordChain::latents(const State& state, std::span<double> out, Rng& /*rng*/) {
  const Totals& totals = state.totals;
  out[0] = totals.n;
  out[1] = totals.sum;
  out[2] = totals.squares;
  out[3] = totals.inside;
}

void RecordChain::read(const State& state, std::span<double> out) const {
  for (std::size_t p = 0; p < problem_.parameters; ++p) out[p] = state.theta[p];
  if (latent_) out[problem_.parameters] = state.totals.n;
}

}  // namespace postern::infer
