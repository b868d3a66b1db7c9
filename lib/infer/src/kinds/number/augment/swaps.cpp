#include <algorithm>
#include <array>
#include <cmath>

#include "postern/infer/kinds/number/augment/record_chain.hpp"

// One record at a time: t' ~ law(theta) in place of t, so that prior and proposal cancel and the noise alone
// decides. Proposals do not depend on what was accepted, and are made in batches.

namespace postern::infer {
namespace {

/// The one thing seen is the sum, once, through Laplace noise.
class OneKink {
 public:
  OneKink(SumEvidence::Kink kink, const Totals& totals) : residual_(totals.sum - kink.at), rate_(kink.rate) {}
  double log_ratio(std::int32_t to, std::int32_t from) {
    next_ = residual_ + (static_cast<double>(to) - from);
    return rate_ * (std::abs(residual_) - std::abs(next_));
  }
  void move() { residual_ = next_; }

 private:
  double residual_;
  double rate_;
  double next_ = 0;
};

class AllSights {
 public:
  AllSights(const TotalsNoise& noise, const LevelFinder& finder, const Totals& totals)
      : noise_(noise), finder_(finder), now_(totals), next_(totals) {}
  double log_ratio(std::int32_t to, std::int32_t from) {
    next_ = exchanged(now_, to, from, finder_);
    return noise_.log_ratio(next_, now_);
  }
  void move() { now_ = next_; }

 private:
  const TotalsNoise& noise_;
  const LevelFinder& finder_;
  Totals now_, next_;
};

constexpr std::size_t kBatch = 512;

}  // namespace

template <class Watch>
std::size_t RecordChain::swap_all(State& state, Watch watch, Rng& rng) const {
  std::array<double, kBatch> t{};
  std::array<std::int32_t, kBatch> k{};
  std::size_t accepted = 0;
  const WholeTable* table = tabulate(state, state.theta, state.t.size());
  for (std::size_t start = 0; start < state.t.size(); start += kBatch) {
    const std::size_t size = std::min(kBatch, state.t.size() - start);
    draw_records(state.mass, table, std::span(t).first(size), std::span(k).first(size), rng);
    double* old_t = state.t.data() + start;
    std::int32_t* old_k = state.k.data() + start;
    for (std::size_t i = 0; i < size; ++i) {
      const double ratio = watch.log_ratio(k[i], old_k[i]);
      const double u = rng.uniform();
      if (u >= 1 + ratio && !(u < std::exp(ratio))) continue;  // e^x >= 1 + x
      watch.move();
      old_t[i] = t[i];
      old_k[i] = k[i];
      ++accepted;
    }
  }
  return accepted;
}

RecordChain::Info RecordChain::swap_records(State& state, Rng& rng) const {
  Info info;
  info.proposed = state.t.size();
  info.accepted = noise_.one_kink()
                      ? swap_all(state, OneKink(noise_.sums().kinks().front(), state.totals), rng)
                      : swap_all(state, AllSights(noise_, finder_, state.totals), rng);
  state.totals = add_up(state.k);
  return info;
}

}  // namespace postern::infer
