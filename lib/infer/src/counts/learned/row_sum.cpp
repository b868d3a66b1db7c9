#include "row_sum.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "postern/core/fft.hpp"

#include "numeric/inverse_cdf.hpp"

namespace postern::infer {
namespace {

constexpr double kShare = 1e-13;       ///< of a message of a tree may be dropped at either end
constexpr std::size_t kFewSums = 700;  ///< up to which a tree is as cheap, and right to more digits
constexpr std::size_t kFewCounts = 3;
constexpr double kSpread = 13;               ///< standard deviations of the sum that one transform holds
constexpr double kHeldBack = 0.1;            ///< share of the variance that is drawn last
constexpr double kLeastAccepted = 1. / 200;  ///< of proposals; a whole tree is cheaper below

/// The variance of a normalised law.
double variance_of(const Message& message) {
  double first = 0;
  double second = 0;
  const double middle = 0.5 * static_cast<double>(message.weight.size() - 1);
  for (std::size_t i = 0; i < message.weight.size(); ++i) {
    const double d = static_cast<double>(i) - middle;
    first += d * message.weight[i];
    second += d * d * message.weight[i];
  }
  return std::max(0.0, second - first * first);
}

double largest_of(const Message& message) {
  return *std::max_element(message.weight.begin(), message.weight.end());
}

/// A law folded into a transform's length: what passes the end comes back with its sign changed.
void fold(const std::vector<double>& law, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double sign = 1;
  for (std::size_t from = 0; from < law.size(); from += out.size(), sign = -sign) {
    const std::size_t to = std::min(law.size(), from + out.size());
    for (std::size_t i = from; i < to; ++i) out[i - from] += sign * law[i];
  }
}

}  // namespace

/// Draws given the sum by rejection.
class RowSum::Proposal {
 public:
  void prepare(const RowSum& row) {
    std::call_once(prepared_, [&] { part(row); });
  }
  [[nodiscard]] double accepted(double weight) const { return weight / largest_; }
  /// False where too many proposals in a row were refused.
  [[nodiscard]] bool draw(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const;
  /// Where proposals would be accepted too seldom.
  void draw_by_tree(const RowSum& row, std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) {
    std::call_once(grown_, [&] { whole_.emplace(row.whole_tree()); });
    whole_->share_out(sum, counts, rng);
  }

 private:
  struct First {
    std::size_t place = 0;
    std::int64_t lo = 0;
    InverseCdf law;
  };
  void part(const RowSum& row);

  std::vector<First> first_;
  std::vector<std::size_t> last_;  ///< places of the counts that are drawn last
  std::optional<SumTree> tree_;    ///< of these
  double largest_ = 1;
  std::once_flag prepared_;
  std::once_flag grown_;
  std::optional<SumTree> whole_;
};

/// The widest counts are drawn last.
void RowSum::Proposal::part(const RowSum& row) {
  std::vector<double> variance;
  for (const SumLeaf& leaf : row.leaves_) variance.push_back(variance_of(leaf.message));
  std::vector<std::size_t> order(variance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return variance[a] > variance[b]; });
  const double whole = std::accumulate(variance.begin(), variance.end(), 0.0);
  double held = 0;
  std::vector<SumLeaf> last;
  for (const std::size_t v : order) {
    const Message& law = row.leaves_[v].message;
    if (held <= kHeldBack * whole) {
      last.push_back({law, 0.0});
      last_.push_back(v);
      held += variance[v];
    } else {
      first_.push_back({v, law.lo, InverseCdf(law.weight)});
    }
  }
  SumShape shape;
  for (const SumLeaf& leaf : last) shape.windows.push_back(leaf.message.window());
  Window reach{0, 0};
  for (const Window& one : shape.windows) reach = {reach.lo + one.lo, reach.hi + one.hi};
  shape.totals = reach;
  shape.cuts = {{0, kShare}};
  tree_.emplace(std::move(last), std::move(shape), 1);
  largest_ = largest_of(tree_->root());
}

bool RowSum::Proposal::draw(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const {
  constexpr int kMost = 20'000;  // a hundred times what is expected
  for (int i = 0; i < kMost; ++i) {
    std::int64_t left = sum;
    for (const First& one : first_)
      left -= counts[one.place] = one.lo + static_cast<std::int64_t>(one.law.draw(rng));
    const double weight = tree_->root().at(left);
    if (!(weight > tree_->error()) || rng.uniform() * largest_ > weight) continue;
    thread_local std::vector<std::int64_t> drawn;
    drawn.resize(last_.size());
    tree_->share_out(left, drawn, rng);
    for (std::size_t k = 0; k < last_.size(); ++k) counts[last_[k]] = drawn[k];
    return true;
  }
  return false;
}

RowSum::RowSum(std::vector<SumLeaf> leaves, double mean, double variance, double tilt, Window totals)
    : leaves_(std::move(leaves)), tilt_(tilt), totals_(totals) {
  std::size_t sums = 0;
  for (const SumLeaf& leaf : leaves_) sums += leaf.message.weight.size();
  constexpr double kWeighed = 10;  // of a leaf's weight, under the tilts that are tried
  const auto width = static_cast<double>(sums);
  work_ = kWeighed * width;
  if (leaves_.size() <= kFewCounts || sums <= kFewSums) {
    work_ += 2000 + 5 * width * std::log2(width + 1);
    tree_.emplace(whole_tree());
    leaves_.clear();
    return;
  }
  for (SumLeaf& leaf : leaves_) {
    log_leaf_mass_ += leaf.log_scale;
    leaf.log_scale = 0;
  }
  transform(mean, std::sqrt(variance));
  proposal_ = std::make_shared<Proposal>();
}

SumTree RowSum::whole_tree() const {
  SumShape shape;
  for (const SumLeaf& leaf : leaves_) shape.windows.push_back(leaf.message.window());
  shape.tilt = tilt_;
  shape.totals = totals_;
  shape.cuts = {{0, kShare}};
  return {std::vector<SumLeaf>(leaves_), std::move(shape), 1};
}

void RowSum::transform(double mean, double sd) {
  std::size_t widest = 0;
  Window reach{0, 0};
  for (const SumLeaf& leaf : leaves_) {
    const Window one = leaf.message.window();
    widest = std::max(widest, one.size());
    reach = {reach.lo + one.lo, reach.hi + one.hi};
  }
  const RealFft fft(
      RealFft::good_size(static_cast<std::size_t>(kSpread * sd + 0.6 * static_cast<double>(widest)) + 64));
  const auto size = static_cast<std::int64_t>(fft.size());
  work_ += static_cast<double>(fft.size() * leaves_.size()) * std::log2(static_cast<double>(fft.size()));
  std::vector<double> product(fft.size());
  std::vector<double> factor(fft.size());
  double norms = 0;
  for (std::size_t v = 0; v < leaves_.size(); ++v) {
    std::vector<double>& into = v == 0 ? product : factor;
    fold(leaves_[v].message.weight, into);
    norms = std::max(norms, norm(leaves_[v].message.weight));
    fft.forward(into);
    if (v > 0) fft.multiply(product, factor);
  }
  fft.inverse(product);
  // Errors of factors add up like those of stages (transform_error), each times laws of mass 1.
  error_ =
      2.2e-16 * norms * std::sqrt(static_cast<double>(leaves_.size()) * std::log2(static_cast<double>(size)));
  const auto first = static_cast<std::int64_t>(std::floor(mean)) - size / 2;
  const Window mine = intersect(intersect({first, first + size - 1}, reach), totals_);
  root_ = {mine.lo, std::vector<double>(mine.size())};
  for (std::int64_t sum = mine.lo; sum <= mine.hi; ++sum) {
    const std::int64_t at = sum - reach.lo;
    const double value = product[static_cast<std::size_t>(at % size)];
    root_.weight[static_cast<std::size_t>(sum - mine.lo)] =
        std::max(0.0, at / size % 2 == 0 ? value : -value);
  }
}

void RowSum::share_out(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const {
  if (tree_) return tree_->share_out(sum, counts, rng);
  proposal_->prepare(*this);
  if (proposal_->accepted(root_.at(sum)) >= kLeastAccepted && proposal_->draw(sum, counts, rng)) return;
  proposal_->draw_by_tree(*this, sum, counts, rng);
}

}  // namespace postern::infer
