#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

#include "augment/record_kernels.hpp"

namespace postern::infer {
namespace {

constexpr int kGlance = 40;     ///< steps after which it is known how many swaps are accepted
constexpr double kOften = 0.3;  ///< of them: enough

void check_noisy_values(const std::vector<NoisyValue>& noisy_values) {
  for (const NoisyValue& noisy_value : noisy_values) {
    if (!std::isfinite(noisy_value.y))
      throw Error(ErrorCode::bad_value, {"a released value is not a number"});
  }
}

void check_set(const VectorRecords& set, std::size_t d) {
  if (set.numbers.size() != d || set.sums.size() != d || set.products.size() != sums_of(d) - d)
    throw Error(ErrorCode::bad_value, {"a record set and the prior differ in their columns"});
  for (const auto& noisy_values : set.sums) check_noisy_values(noisy_values);
  for (const auto& noisy_values : set.products) check_noisy_values(noisy_values);
  check_noisy_values(set.counts);
  const auto* known = std::get_if<KnownTotal>(&set.total);
  const std::int64_t n = known != nullptr ? known->n : std::get<LatentTotal>(set.total).at_most;
  if (n < 0) throw Error(ErrorCode::bad_value, {"a number of records is negative"});
  for (const model::EncodedNumber& number : set.numbers) {
    if (number.below >= 0 && number.above >= 0) continue;
    throw Error(ErrorCode::engine_unsuitable,
                {"data augmentation needs columns whose outside values are clamped or mapped, not dropped"});
  }
}

VectorProblem checked(VectorProblem problem) {
  if (problem.sets.empty()) throw Error(ErrorCode::bad_value, {"there is no record set to infer from"});
  for (const VectorRecords& set : problem.sets) check_set(set, problem.prior.mean.size());
  const double most = VectorChain::most_records(problem);
  if (most > VectorChain::kMostRecords) {
    throw Error(ErrorCode::engine_limit,
                {"data augmentation keeps every latent record in memory, and there may be ",
                 public_number(std::llround(std::min(most, 1e18))), "; the limit is ",
                 public_number(std::llround(VectorChain::kMostRecords)),
                 ". Declare a smaller bound on n, or take --engine naive to compare"});
  }
  return problem;
}

double most_of(const VectorRecords& set) {
  NumberProblem counted;
  counted.counts = set.counts;
  counted.total = set.total;
  return RecordChain::most_records(counted);
}

Row middles(const VectorRecords& set) {
  Row out{};
  for (std::size_t i = 0; i < std::min(set.numbers.size(), kMostColumns); ++i) {
    const auto& edges = set.numbers[i].edges;
    out[i] = edges.front() + 0.5 * (edges.back() - edges.front());
  }
  return out;
}

Row widths(const VectorRecords& set) {
  Row out{};
  for (std::size_t i = 0; i < std::min(set.numbers.size(), kMostColumns); ++i) {
    const double width = set.numbers[i].edges.back() - set.numbers[i].edges.front();
    out[i] = width > 0 ? width : 1;
  }
  return out;
}

WishartPrior in_widths(WishartPrior prior, const Row& middle, const Row& width) {
  const std::size_t d = std::min(prior.mean.size(), kMostColumns);
  if (prior.scale.size() != d * d) return prior;
  for (std::size_t i = 0; i < d; ++i) {
    prior.mean[i] = (prior.mean[i] - middle[i]) / width[i];
    for (std::size_t j = 0; j < d; ++j) prior.scale[i * d + j] /= width[i] * width[j];
  }
  return prior;
}

/// Records added or removed at once: what the noise of a count leaves open, about.
double most_change(const VectorRecords& set, double most) {
  double out = most;
  for (const NoisyValue& noisy_value : set.counts)
    out = std::min(out, 4 * std::sqrt(release::variance(noisy_value.law)));
  return std::max(out, 1.0);
}

}  // namespace

double VectorChain::most_records(const VectorProblem& problem) {
  double sum = 0;
  for (const VectorRecords& set : problem.sets) sum += most_of(set);
  return sum;
}

double VectorChain::bytes_per_record(std::size_t columns) {
  return 8 + 2 * 12 * static_cast<double>(columns);
}

VectorChain::VectorChain(VectorProblem problem)
    : problem_(checked(std::move(problem))),
      d_(problem_.prior.mean.size()),
      middle_(middles(problem_.sets.front())),
      width_(widths(problem_.sets.front())),
      prior_(in_widths(problem_.prior, middle_, width_)) {
  for (const VectorRecords& records : problem_.sets) {
    Set& set = sets_.emplace_back();
    for (std::size_t i = 0; i < d_; ++i) {
      model::EncodedNumber number = records.numbers[i];
      for (double& edge : number.edges) edge = (edge - middle_[i]) / width_[i];
      set.finders.emplace_back(number);
    }
    set.most = most_of(records);
    set.noise = VectorNoise(records, set.most);
    set.most_change = most_change(records, set.most);
    if (const auto* latent = std::get_if<LatentTotal>(&records.total)) {
      set.latent = true;
      set.log_slope = latent->log_slope;
      ++latent_;
    }
  }
}

/// Exact: a product is below 2^42, and there are fewer than 2^21 records.
VectorTotals VectorChain::add_up(const std::array<std::vector<std::int32_t>, kMostColumns>& k,
                                 std::size_t from, std::size_t to) const {
  static const RecordKernels& kernels = record_kernels();
  const std::size_t size = to - from;
  VectorTotals out;
  out.n = static_cast<double>(size);
  for (std::size_t i = 0; i < d_; ++i) {
    const std::int32_t* own = k[i].data() + from;
    out.sum[i] = static_cast<double>(kernels.sum(own, size));
    for (std::size_t j = i; j < d_; ++j)
      out.sum[d_ + packed(i, j, d_)] =
          static_cast<double>(kernels.sum_products(own, k[j].data() + from, size));
  }
  return out;
}

void VectorChain::add_up(Records& records) const { records.totals = add_up(records.k, 0, records.size()); }

VectorMoments VectorChain::moments_of(const State& state) const {
  VectorMoments out;
  for (const Records& records : state.sets) {
    out.weight += static_cast<double>(records.size());
    for (std::size_t i = 0; i < d_; ++i) {
      for (const double x : records.x[i]) out.mean[i] += x;
    }
  }
  out.degrees = out.weight;
  if (out.weight == 0) return out;
  for (std::size_t i = 0; i < d_; ++i) out.mean[i] /= out.weight;
  for (const Records& records : state.sets) {
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double* a = records.x[i].data();
        const double* b = records.x[j].data();
        double sum[2] = {0, 0};
        std::size_t r = 0;
        for (; r + 2 <= records.size(); r += 2) {
          sum[0] += (a[r] - out.mean[i]) * (b[r] - out.mean[j]);
          sum[1] += (a[r + 1] - out.mean[i]) * (b[r + 1] - out.mean[j]);
        }
        for (; r < records.size(); ++r) sum[0] += (a[r] - out.mean[i]) * (b[r] - out.mean[j]);
        out.scatter(i, j) += sum[0] + sum[1];
      }
    }
  }
  return out;
}

VectorChain::Info VectorChain::step(State& state, Rng& rng) const {
  state.law.settle(state.theta, rng);
  state.theta = state.law.draw(moments_of(state), rng);
  Tuning& tuning = state.tuning;
  Info info;
  std::size_t taken = 0;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    Records& records = state.sets[s];
    info.proposed += records.size();
    info.accepted += swap_records(state.theta, sets_[s], records, rng);
    if (tuning.parts) swap_columns(state.theta, sets_[s], records, rng);
    for (std::size_t i = 0; i < tuning.offers; ++i)
      taken += offer_record(state.theta, sets_[s], records, rng) ? 1 : 0;
    if (sets_[s].latent && sets_[s].most > 0) resize(state.theta, sets_[s], records, rng);
  }
  redraw(state, rng);
  if (tuning.steps == kTuning) return info;
  const double swaps = std::max(static_cast<double>(info.proposed), 1.0);
  const double offers = static_cast<double>(sets_.size() * tuning.offers);
  tuning.swap_rate += 0.05 * (static_cast<double>(info.accepted) / swaps - tuning.swap_rate);
  tuning.offer_rate += 0.05 * (static_cast<double>(taken) / offers - tuning.offer_rate);
  // Coordinates one by one where a whole record is mostly refused.
  if (++tuning.steps > kGlance) tuning.parts = tuning.swap_rate < kOften;
  if (tuning.steps == kTuning) tune(state);
  return info;
}

/// Offers, as many as take the time of the swaps, if they change more records in that time than swaps do.
void VectorChain::tune(State& state) const {
  const double kSwap = 35 * static_cast<double>(d_);  // ns
  const double kOfferRecord = 8 + 1.5 * static_cast<double>(sums_of(d_));
  constexpr double kOffer = 200;
  Tuning& tuning = state.tuning;
  double n = 0;
  for (const Records& records : state.sets) n += static_cast<double>(records.size());
  n /= static_cast<double>(state.sets.size());
  const double cost = kOffer + kOfferRecord * n;
  const bool pays = tuning.offer_rate / cost > tuning.swap_rate / kSwap;
  tuning.offers = pays ? static_cast<std::size_t>(std::ceil(kSwap * n / cost)) : 0;
}

void VectorChain::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  auto at = out.begin();
  for (const Records& records : state.sets) {
    *at++ = records.totals.n;
    at = std::copy_n(records.totals.sum.begin(), sums_of(d_), at);
  }
}

void VectorChain::read(const State& state, std::span<double> out) const {
  const MeanAndSpread& theta = state.theta;
  for (std::size_t i = 0; i < d_; ++i) {
    out[i] = middle_[i] + width_[i] * theta.mean[i];
    for (std::size_t j = i; j < d_; ++j)
      out[d_ + packed(i, j, d_)] = width_[i] * width_[j] * covariance(theta, i, j);
  }
  std::size_t at = sums_of(d_);
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    if (sets_[s].latent) out[at++] = state.sets[s].totals.n;
  }
}

}  // namespace postern::infer
