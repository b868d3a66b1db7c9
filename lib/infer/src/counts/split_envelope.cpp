#include "split_envelope.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace postern::infer {
namespace {

constexpr std::size_t kGroup = 16;        ///< blocks whose bounds are summed together
constexpr std::size_t kMostGroups = 256;  ///< wider blocks where there would be more
constexpr int kMostProposals = 200;

std::vector<double> largest_of_blocks(const std::vector<double>& weight, std::int64_t block) {
  const auto size = static_cast<std::size_t>(block);
  std::vector<double> out;
  out.reserve(weight.size() / size + 1);
  for (std::size_t i = 0; i < weight.size(); i += size) {
    const auto from = weight.begin() + static_cast<std::ptrdiff_t>(i);
    const auto to = weight.begin() + static_cast<std::ptrdiff_t>(std::min(i + size, weight.size()));
    out.push_back(*std::max_element(from, to));
  }
  return out;
}

/// Bounds left[i] partner[i] of the blocks that can meet, for one sum.
class Bounds {
 public:
  Bounds(const double* left, const double* partner, std::size_t blocks)
      : left_(left), partner_(partner), blocks_(blocks), groups_((blocks + kGroup - 1) / kGroup) {
    for (std::size_t g = 0; g < groups_; ++g) {
      const std::size_t from = g * kGroup;
      const std::size_t size = std::min(kGroup, blocks_ - from);
      double sum = 0;
      if (size == kGroup) {
        std::array<double, 4> lanes{};
        for (std::size_t i = 0; i < kGroup; i += 4) {
          for (std::size_t j = 0; j < 4; ++j) lanes[j] += left_[from + i + j] * partner_[from + i + j];
        }
        sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
      } else {
        for (std::size_t i = 0; i < size; ++i) sum += at(from + i);
      }
      sums_[g] = sum;
      whole_ += sum;
    }
  }

  [[nodiscard]] double whole() const { return whole_; }
  [[nodiscard]] double at(std::size_t block) const { return left_[block] * partner_[block]; }
  /// The block at which the sum of the bounds reaches `target`.
  [[nodiscard]] std::size_t find(double target) const {
    std::size_t g = 0;
    for (; g + 1 < groups_ && target > sums_[g]; ++g) target -= sums_[g];
    std::size_t i = g * kGroup;
    const std::size_t last = std::min(i + kGroup, blocks_) - 1;
    for (; i < last && target > at(i); ++i) target -= at(i);
    return i;
  }

 private:
  const double* left_;
  const double* partner_;
  std::size_t blocks_;
  std::size_t groups_;
  std::array<double, kMostGroups> sums_;
  double whole_ = 0;
};

}  // namespace

SplitEnvelope::SplitEnvelope(const Message& left, const Message& right, std::int64_t block) : block_(block) {
  const auto most = static_cast<std::int64_t>(kGroup * kMostGroups);
  while (static_cast<std::int64_t>(left.weight.size()) > block_ * (most - 1)) block_ *= 2;
  left_ = largest_of_blocks(left.weight, block_);
  const std::vector<double> others = largest_of_blocks(right.weight, block_);
  // A left block meets counts of at most two right blocks, j - 1 and j.
  partners_.assign(others.size() + 1, 0.0);
  for (std::size_t j = 0; j < others.size(); ++j) {
    for (const std::size_t meets : {j, j + 1}) {
      double& partner = partners_[others.size() - meets];
      partner = std::max(partner, others[j]);
    }
  }
}

std::optional<std::int64_t> SplitEnvelope::draw(const Message& left, const Message& right, std::int64_t sum,
                                                Rng& rng) const {
  // Index i of the left weight meets index `ends - i` of the right one.
  const std::int64_t ends = sum - left.lo - right.lo;
  if (ends < 0) return std::nullopt;
  const std::int64_t meets = ends / block_;
  const auto rights = static_cast<std::int64_t>(partners_.size()) - 1;
  const std::int64_t first = std::max<std::int64_t>(0, meets - rights);
  const std::int64_t last = std::min(static_cast<std::int64_t>(left_.size()) - 1, meets);
  if (first > last) return std::nullopt;
  const Bounds bounds(left_.data() + first, partners_.data() + (rights - meets + first),
                      static_cast<std::size_t>(last - first + 1));
  if (!(bounds.whole() > 0)) return std::nullopt;
  const auto lefts = static_cast<std::int64_t>(left.weight.size());
  const auto right_size = static_cast<std::int64_t>(right.weight.size());
  for (int i = 0; i < kMostProposals; ++i) {
    const std::size_t block = bounds.find(rng.uniform() * bounds.whole());
    const auto inside = static_cast<std::int64_t>(rng.uniform() * static_cast<double>(block_));
    const double height = rng.uniform() * bounds.at(block);
    const std::int64_t at = (first + static_cast<std::int64_t>(block)) * block_ + inside;
    const std::int64_t other = ends - at;
    if (at >= lefts || other < 0 || other >= right_size) continue;
    const double product =
        left.weight[static_cast<std::size_t>(at)] * right.weight[static_cast<std::size_t>(other)];
    if (height < product) return left.lo + at;
  }
  return std::nullopt;
}

}  // namespace postern::infer
