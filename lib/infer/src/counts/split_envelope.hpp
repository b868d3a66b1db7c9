#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/core/rng.hpp"

#include "message.hpp"

namespace postern::infer {

/// Draws the left part x of a sum, with probability proportional to left(x) right(sum - x), by rejection:
/// over a block of counts the product is at most that of the largest weights there. A draw looks at blocks
/// instead of counts, so wide laws cost as little as narrow ones.
class SplitEnvelope {
 public:
  SplitEnvelope() = default;  ///< of nothing
  /// @pre `block` is a power of 2; about a standard deviation of x, or half of it, makes draws cheapest.
  SplitEnvelope(const Message& left, const Message& right, std::int64_t block);
  [[nodiscard]] bool empty() const { return left_.empty(); }

  /// Nothing if no product is above 0, or next to none. @pre the messages are those it was made of
  [[nodiscard]] std::optional<std::int64_t> draw(const Message& left, const Message& right, std::int64_t sum,
                                                 Rng& rng) const;

 private:
  std::int64_t block_ = 1;
  std::vector<double> left_;  ///< largest weight of each block
  std::vector<double>
      partners_;  ///< of the two right blocks that a left one meets, from the last to the first
};

}  // namespace postern::infer
