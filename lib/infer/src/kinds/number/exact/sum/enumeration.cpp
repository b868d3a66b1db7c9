#include "enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/special.hpp"

#include "noise_transform.hpp"

namespace postern::infer {
namespace {

constexpr double kTermNats = 42;        ///< below the highest term: what does not count
constexpr double kBinomialReach = 9.2;  ///< deviations of a binomial number at which it is so
constexpr double kSearch = 6;           ///< sums that finding the highest costs, about
constexpr double kMost = 1e12;          ///< more than anyone lists

/// Binomial numbers that are not negligible, at most.
double likely(double n, double p) {
  return std::min(n, 2 * kBinomialReach * std::sqrt(n * p * (1 - p)) + kTermNats / 2) + 1;
}

/// Nodes by their weight, the heaviest two last.
std::vector<std::size_t> by_weight(const TiltedRecord& tilted) {
  std::vector<std::size_t> order(tilted.weight.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tilted.weight[a] < tilted.weight[b]; });
  return order;
}

/// log of the probability of c of n, p = odds / (1 + odds).
struct Binomial {
  double n = 0;
  double log_p = 0;
  double log_rest = 0;

  [[nodiscard]] double log_at(double c) const {
    if (c == 0) return n * log_rest;
    const double ways = log_gamma(n + 1) - log_gamma(c + 1) - log_gamma(n - c + 1);
    return ways + c * log_p + (c < n ? (n - c) * log_rest : 0);
  }
  /// log_at(c + 1) - log_at(c)
  [[nodiscard]] double rise(double c) const { return std::log((n - c) / (c + 1)) + log_p - log_rest; }
};

/// A sum of terms given by their logarithms.
struct LogSum {
  double top = kMinusInfinity;
  double sum = 0;

  [[nodiscard]] bool counts(double log_term) const { return log_term > top - kTermNats; }
  void add(double log_term) {
    if (log_term > top) {
      sum *= std::exp(top - log_term);
      top = log_term;
    }
    sum += std::exp(log_term - top);
  }
};

class Listing {
 public:
  Listing(const RecordNodes& nodes, const TiltedRecord& tilted, const TiltedNoise& g)
      : g_(g), order_(by_weight(tilted)) {
    double heavier = 1;
    for (const std::size_t r : order_) {
      const double p = std::min(tilted.weight[r] / heavier, 1.0);
      at_.push_back(nodes.at[r]);
      log_p_.push_back(std::log(p));
      heavier = 0;
      for (std::size_t k = at_.size(); k < order_.size(); ++k) heavier += tilted.weight[order_[k]];
      log_rest_.push_back(std::log(heavier / (heavier + tilted.weight[r])));
    }
  }

  /// All ways to place `left` records on the nodes from the k-th on; the others add up to s.
  void place(std::size_t k, double left, double s, double log_weight) {
    if (left == 0 || k + 1 == at_.size()) return total_.add(log_weight + g_.log_at(s + left * at_[k]));
    if (k + 2 == at_.size()) return place_two(k, left, s, log_weight);
    const Binomial number{left, log_p_[k], log_rest_[k]};
    const double mode = std::clamp(std::floor((left + 1) * std::exp(log_p_[k])), 0.0, left);
    const double log_mode = number.log_at(mode);
    const auto add = [&](double c, double log_c) {
      place(k + 1, left - c, s + c * at_[k], log_weight + log_c);
    };
    add(mode, log_mode);
    double log_c = log_mode;
    for (double c = mode; c < left; ++c) {
      log_c += number.rise(c);
      if (!total_.counts(log_weight + log_c)) break;
      add(c + 1, log_c);
    }
    log_c = log_mode;
    for (double c = mode; c > 0; --c) {
      log_c -= number.rise(c - 1);
      if (!total_.counts(log_weight + log_c)) break;
      add(c - 1, log_c);
    }
  }

  [[nodiscard]] double log_sum() const { return total_.top + std::log(total_.sum); }

 private:
  /// The terms are log-concave in the number on the first of the two.
  void place_two(std::size_t k, double left, double s, double log_weight) {
    const Binomial number{left, log_p_[k], log_rest_[k]};
    const double gap = at_[k] - at_[k + 1];
    const double start = s + left * at_[k + 1];
    const auto log_noise = [&](double c) { return g_.log_at(start + c * gap); };
    double lo = 0;
    double hi = left;
    while (lo < hi) {
      const double c = std::floor(0.5 * (lo + hi));
      const bool rises = number.rise(c) + log_noise(c + 1) - log_noise(c) > 0;
      (rises ? lo : hi) = rises ? c + 1 : c;
    }
    const double log_mode = log_weight + number.log_at(lo);
    const double highest = log_mode + log_noise(lo);
    if (!total_.counts(highest)) return;
    total_.add(highest);
    double log_c = log_mode;
    for (double c = lo; c < left; ++c) {
      log_c += number.rise(c);
      const double term = log_c + log_noise(c + 1);
      if (!total_.counts(term)) break;
      total_.add(term);
    }
    log_c = log_mode;
    for (double c = lo; c > 0; --c) {
      log_c -= number.rise(c - 1);
      const double term = log_c + log_noise(c - 1);
      if (!total_.counts(term)) break;
      total_.add(term);
    }
  }

  const TiltedNoise& g_;
  std::vector<std::size_t> order_;
  std::vector<double> at_;
  std::vector<double> log_p_;     ///< of this node among those from it on
  std::vector<double> log_rest_;  ///< of the later ones
  LogSum total_;
};

}  // namespace

double multisets(double nodes, double n) {
  double count = 1;
  for (double i = 1; i <= n && count < kMost; ++i) count *= (nodes - 1 + i) / i;
  return count;
}

double enumerated_sums(const RecordNodes& nodes, const TiltedRecord& tilted, double n,
                       const SumNoise& noise) {
  const std::vector<std::size_t> order = by_weight(tilted);
  double sums = 1;
  for (std::size_t k = 0; k + 2 < order.size() && sums < kMost; ++k)
    sums *= likely(n, tilted.weight[order[k]]);
  if (order.size() < 2 || sums > kMost) return sums;
  const std::size_t a = order[order.size() - 2];
  const std::size_t b = order.back();
  double rate = std::sqrt(noise.precision / (2 * kTermNats));
  for (const auto& kink : noise.kinks) rate += kink.rate / kTermNats;
  const double near = 2 / (rate * std::abs(nodes.at[a] - nodes.at[b])) + 1;
  const double share = tilted.weight[a] / (tilted.weight[a] + tilted.weight[b]);
  return std::min(sums * (std::min(likely(n, share), near) + kSearch),
                  multisets(static_cast<double>(nodes.at.size()), n));
}

double log_mean_enumerated(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                           const SumNoise& noise) {
  const auto records = static_cast<double>(n);
  const double s0 = records * tilted.mean;
  const TiltedNoise g(noise, tilted.lambda, s0, records * nodes.at.front(), records * nodes.at.back());
  Listing listing(nodes, tilted, g);
  listing.place(0, records, 0, 0);
  return g.log_peak() + records * tilted.log_mass + listing.log_sum();
}

}  // namespace postern::infer
