#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

// One record at a time: x' ~ Normal(mu, Sigma) in place of x, so that prior and proposal cancel and the noise
// alone decides. Proposals do not depend on what was accepted, and are made in batches, column by column.

namespace postern::infer {
namespace {

constexpr std::size_t kBatch = 128;
constexpr double kFarthestSwap = 1e120;

double within_reach(double x) { return std::min(std::max(x, -kFarthestSwap), kFarthestSwap); }

bool passes(double log_ratio, double u) {
  return u < 1 + log_ratio || u < std::exp(log_ratio);  // e^x >= 1 + x
}

/// The totals of a set while records of D columns change.
template <std::size_t D>
class Watch {
 public:
  Watch(const VectorNoise& noise, const VectorTotals& totals) : noise_(noise), now_(totals.sum) {
    for (std::size_t s = 0; noise.plain() && s < kSums; ++s) now_[s] -= noise.kinks().at[s];
  }
  double log_ratio(const std::array<double, D>& to, const std::array<double, D>& from) {
    std::size_t s = D;
    for (std::size_t i = 0; i < D; ++i) {
      next_[i] = now_[i] + (to[i] - from[i]);
      for (std::size_t j = i; j < D; ++j, ++s) next_[s] = now_[s] + (to[i] * to[j] - from[i] * from[j]);
    }
    double sum = 0;
    if (noise_.plain()) {
      const double* rate = noise_.kinks().rate.data();
      for (s = 0; s < kSums; ++s) sum += rate[s] * (std::abs(now_[s]) - std::abs(next_[s]));
    } else {
      for (s = 0; s < kSums; ++s) sum += noise_[s].log_ratio(next_[s], now_[s]);
    }
    return sum;
  }
  void move() { now_ = next_; }

 private:
  static constexpr std::size_t kSums = sums_of(D);

  const VectorNoise& noise_;
  std::array<double, kMostSums> now_, next_{};  ///< less the kinks' places where the noise is plain
};

/// Precision of Sigma from its factor.
Square inverse(const Square& factor, std::size_t d) {
  Square rows;  // factor^-1
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = j; i < d; ++i) {
      double rest = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) rest -= factor(i, k) * rows(k, j);
      rows(i, j) = rest / factor(i, i);
    }
  }
  Square out;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = std::max(i, j); k < d; ++k) out(i, j) += rows(k, i) * rows(k, j);
    }
  }
  return out;
}

}  // namespace

void VectorChain::draw_records(const MeanAndSpread& theta, const Set& set, std::span<double* const> x,
                               std::span<std::int32_t* const> k, std::size_t size, Rng& rng) const {
  for (std::size_t i = 0; i < d_; ++i) {
    for (std::size_t r = 0; r < size; ++r) x[i][r] = draw_normal(rng);
  }
  for (std::size_t i = d_; i-- > 0;) {
    double* at = x[i];
    const double own = theta.factor(i, i);
    for (std::size_t r = 0; r < size; ++r) at[r] = theta.mean[i] + own * at[r];
    for (std::size_t j = 0; j < i; ++j) {
      const double lean = theta.factor(i, j);
      const double* z = x[j];
      for (std::size_t r = 0; r < size; ++r) at[r] += lean * z[r];
    }
    for (std::size_t r = 0; r < size; ++r) at[r] = within_reach(at[r]);
    set.finders[i].adds({at, size}, k[i]);
  }
}

template <std::size_t D>
std::size_t VectorChain::swap_all(const MeanAndSpread& theta, const Set& set, Records& records,
                                  Rng& rng) const {
  std::array<std::array<double, kBatch>, D> x;
  std::array<std::array<std::int32_t, kBatch>, D> k;
  std::array<double*, D> x_at{};
  std::array<std::int32_t*, D> k_at{};
  for (std::size_t i = 0; i < D; ++i) {
    x_at[i] = x[i].data();
    k_at[i] = k[i].data();
  }
  Watch<D> watch(set.noise, records.totals);
  std::size_t accepted = 0;
  std::array<double, D> to{};
  std::array<double, D> from{};
  for (std::size_t start = 0; start < records.size(); start += kBatch) {
    const std::size_t size = std::min(kBatch, records.size() - start);
    draw_records(theta, set, x_at, k_at, size, rng);
    std::array<double*, D> old_x{};
    std::array<std::int32_t*, D> old_k{};
    for (std::size_t i = 0; i < D; ++i) {
      old_x[i] = records.x[i].data() + start;
      old_k[i] = records.k[i].data() + start;
    }
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t i = 0; i < D; ++i) {
        to[i] = k[i][r];
        from[i] = old_k[i][r];
      }
      if (!passes(watch.log_ratio(to, from), rng.uniform())) continue;
      watch.move();
      for (std::size_t i = 0; i < D; ++i) {
        old_x[i][r] = x[i][r];
        old_k[i][r] = k[i][r];
      }
      ++accepted;
    }
  }
  return accepted;
}

std::size_t VectorChain::swap_records(const MeanAndSpread& theta, const Set& set, Records& records,
                                      Rng& rng) const {
  std::size_t accepted = 0;
  switch (d_) {
    case 1:
      accepted = swap_all<1>(theta, set, records, rng);
      break;
    case 2:
      accepted = swap_all<2>(theta, set, records, rng);
      break;
    case 3:
      accepted = swap_all<3>(theta, set, records, rng);
      break;
    case 4:
      accepted = swap_all<4>(theta, set, records, rng);
      break;
    case 5:
      accepted = swap_all<5>(theta, set, records, rng);
      break;
    case 6:
      accepted = swap_all<6>(theta, set, records, rng);
      break;
    case 7:
      accepted = swap_all<7>(theta, set, records, rng);
      break;
    case 8:
      accepted = swap_all<8>(theta, set, records, rng);
      break;
    default:
      throw Error(ErrorCode::internal, {"a vector has more columns than were checked"});
  }
  add_up(records);
  return accepted;
}

/// x_i' given the others, whose mean is `mean` plus what it leans on them.
void VectorChain::swap_column(const Row& leans, double mean, double deviation, std::size_t column,
                              const Set& set, Records& records, Rng& rng) const {
  std::array<double, kBatch> x{};
  VectorTotals next = records.totals;
  VectorTotals& now = records.totals;
  for (std::size_t start = 0; start < records.size(); start += kBatch) {
    const std::size_t size = std::min(kBatch, records.size() - start);
    for (std::size_t r = 0; r < size; ++r) x[r] = mean + deviation * draw_normal(rng);
    for (std::size_t j = 0; j < d_; ++j) {
      const double* other = records.x[j].data() + start;
      for (std::size_t r = 0; r < size && leans[j] != 0; ++r) x[r] += leans[j] * other[r];
    }
    for (std::size_t r = 0; r < size; ++r) {
      x[r] = within_reach(x[r]);
      const std::int32_t k = set.finders[column].adds(x[r]);
      const double change = k - records.k[column][start + r];
      next.sum[column] = now.sum[column] + change;
      double ratio = set.noise[column].log_ratio(next.sum[column], now.sum[column]);
      for (std::size_t j = 0; j < d_; ++j) {
        const std::size_t s = d_ + packed(std::min(column, j), std::max(column, j), d_);
        const double other = records.k[j][start + r];
        next.sum[s] = now.sum[s] + change * (j == column ? other + k : other);
        ratio += set.noise[s].log_ratio(next.sum[s], now.sum[s]);
      }
      if (!passes(ratio, rng.uniform())) continue;
      now = next;
      records.x[column][start + r] = x[r];
      records.k[column][start + r] = k;
    }
  }
}

void VectorChain::swap_columns(const MeanAndSpread& theta, const Set& set, Records& records, Rng& rng) const {
  const Square precision = inverse(theta.factor, d_);
  for (std::size_t i = 0; i < d_; ++i) {
    Row leans{};
    double mean = theta.mean[i];
    for (std::size_t j = 0; j < d_; ++j) {
      if (j == i) continue;
      leans[j] = -precision(i, j) / precision(i, i);
      mean -= leans[j] * theta.mean[j];
    }
    const double deviation = 1 / std::sqrt(precision(i, i));
    if (!std::isfinite(mean) || !std::isfinite(deviation)) continue;
    swap_column(leans, mean, deviation, i, set, records, rng);
  }
  add_up(records);
}

}  // namespace postern::infer
