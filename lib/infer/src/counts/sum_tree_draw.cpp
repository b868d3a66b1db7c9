#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sum_tree.hpp"

namespace postern::infer {
namespace {

/// The terms left(x) right(sum - x), x in a window, and inversion among them in strides, whose sums are short
/// loops without branches. Any order of the terms gives the same law.
class SplitTerms {
 public:
  static constexpr std::int64_t kStride = 16;
  SplitTerms(const Message& left, const Message& right, std::int64_t sum)
      : window_(intersect(left.window(), {sum - right.window().hi, sum - right.lo})),
        left_(left.weight.data()),
        right_(right.weight.data()),
        left_lo_(left.lo),
        right_end_(sum - right.lo) {}

  [[nodiscard]] Window window() const { return window_; }
  [[nodiscard]] double term(std::int64_t x) const { return left_[x - left_lo_] * right_[right_end_ - x]; }

  /// The x at which the running sum over a stride reaches what is left of the target; nothing if it does not,
  /// and then the target is less by the sum.
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t from, double& target) const {
    const double sum = sum_of(from);
    if (sum < target) {
      target -= sum;
      return std::nullopt;
    }
    const std::int64_t last = std::min(from + kStride - 1, window_.hi);
    for (std::int64_t x = std::max(from, window_.lo); x < last; ++x) {
      target -= term(x);
      if (target <= 0) return x;
    }
    return last;
  }

 private:
  [[nodiscard]] double sum_of(std::int64_t from) const {
    double sum = 0;
    if (from < window_.lo || from + kStride - 1 > window_.hi) {
      const std::int64_t last = std::min(from + kStride - 1, window_.hi);
      for (std::int64_t x = std::max(from, window_.lo); x <= last; ++x) sum += term(x);
      return sum;
    }
    std::array<double, 4> lanes{};
    const double* left = left_ + (from - left_lo_);
    const double* right = right_ + (right_end_ - from);
    for (std::size_t i = 0; i < kStride; i += 4) {
      for (std::size_t j = 0; j < 4; ++j) lanes[j] += left[i + j] * *(right - (i + j));
    }
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }

  Window window_;
  const double* left_;
  const double* right_;
  std::int64_t left_lo_;
  std::int64_t right_end_;
};

}  // namespace

/// Where one sum matters, every draw splits it at the root.
void SumTree::prepare_draws() {
  const bool one = root().weight.size() == 1;
  const std::size_t enveloped = one && cells_ > 1 ? nodes_.size() - 1 : nodes_.size();
  for (std::size_t i = cells_; i < enveloped; ++i) {
    nodes_[i].envelope = envelope_of(nodes_[i]);
    if (shape_.tabulates && shape_.pitch == 1) tabulate(nodes_[i]);
  }
  if (!one || cells_ == 1) return;
  const Node& top = nodes_.back();
  const SplitTerms terms(nodes_[top.left].message, nodes_[top.right].message, shape_.pitch * root().lo);
  const Window window = terms.window();
  std::vector<double> weight;
  weight.reserve(window.size());
  for (std::int64_t x = window.lo; x <= window.hi; ++x) weight.push_back(terms.term(x));
  first_split_lo_ = window.lo;
  draw_first_split_ = InverseCdf(weight);
}

void SumTree::tabulate(Node& node) const {
  const Message& left = nodes_[node.left].message;
  const Message& right = nodes_[node.right].message;
  const Window sums = node.message.window();
  if (SplitTable::size_of(left, right, sums) <= kMostTabulated) node.table = SplitTable(left, right, sums);
}

void SumTree::share_out(std::int64_t total, std::span<std::int64_t> s, Rng& rng) const {
  if (draw_first_split_.empty()) {
    share_out(nodes_.size() - 1, total, s, rng);
    return;
  }
  const Node& top = nodes_.back();
  const std::int64_t left = first_split_lo_ + static_cast<std::int64_t>(draw_first_split_.draw(rng));
  share_out(top.left, left, s, rng);
  share_out(top.right, total - left, s, rng);
}

void SumTree::share_out(std::size_t index, std::int64_t sum, std::span<std::int64_t> s, Rng& rng) const {
  if (index < cells_) {
    s[index] = sum;
    return;
  }
  const Node& node = nodes_[index];
  const std::int64_t left = split(node, sum, rng);
  share_out(node.left, left, s, rng);
  share_out(node.right, sum - left, s, rng);
}

/// Blocks of half to a whole standard deviation of the left part, given the sum. Where that is small, looking
/// at single counts is quicker.
SplitEnvelope SumTree::envelope_of(const Node& node) const {
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  const double spread = left.variance + right.variance;
  const double sd = spread > 0 ? std::sqrt(left.variance / spread * right.variance) : 0;
  constexpr double kWide = 64;
  if (!(sd >= kWide)) return {};
  std::int64_t block = 16;
  while (2 * static_cast<double>(block) < sd) block *= 2;
  return {left.message, right.message, block};
}

/// The left part of a sum: under the envelope, or by inversion, outwards from where it is expected, so that
/// few terms are looked at.
std::int64_t SumTree::split(const Node& node, std::int64_t sum, Rng& rng) const {
  if (!node.table.empty()) return node.table.draw(sum, rng);
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  if (!node.envelope.empty()) {
    if (const auto x = node.envelope.draw(left.message, right.message, sum, rng)) return *x;
  }
  const SplitTerms terms(left.message, right.message, sum);
  const double spread = left.variance + right.variance;
  const double expected =
      left.mean +
      (spread > 0 ? (static_cast<double>(sum) - left.mean - right.mean) * left.variance / spread : 0);
  const Window both = terms.window();
  const auto start = static_cast<std::int64_t>(
      std::clamp(expected, static_cast<double>(both.lo), static_cast<double>(both.hi)));
  constexpr std::int64_t kStride = SplitTerms::kStride;
  double whole = weight_of(node, sum);
  for (int attempt = 0; attempt < 3; ++attempt) {
    double target = rng.uniform() * whole;
    const double asked = target;
    std::int64_t down = start - kStride / 2;
    std::int64_t up = down + kStride;
    if (const auto x = terms.find(down, target)) return *x;
    while (up <= both.hi || down > both.lo) {
      down -= kStride;
      if (const auto x = terms.find(up, target)) return *x;
      if (const auto x = terms.find(down, target)) return *x;
      up += kStride;
    }
    // Rounding left the sum of the terms below `whole`: draw again from the terms themselves.
    whole = asked - target;
  }
  return start;
}

}  // namespace postern::infer
