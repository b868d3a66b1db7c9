#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace postern::infer {

/// A function of whole numbers, costly and smooth but near given breaks, as polynomials on blocks of numbers,
/// where a weight beside it lets it count.
class TotalBlocks {
 public:
  /// log_value(n) is the costly one; log_weight(n) the cheap one, with kinks at breaks only.
  /// `tolerance` is that of the logarithm, where it counts most.
  TotalBlocks(std::function<double(std::int64_t)> log_value, std::function<double(double)> log_weight,
              double tolerance)
      : log_value_(std::move(log_value)), log_weight_(std::move(log_weight)), tolerance_(tolerance) {}

  /// The highest sum of both at these numbers.
  double look(const std::vector<std::int64_t>& numbers);
  /// Covers lo..hi where it counts, with blocks that end at the breaks.
  void build(std::vector<std::int64_t> breaks, std::int64_t lo, std::int64_t hi);

  struct Block {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::vector<double> node;
    std::vector<double> value;
    std::vector<double> weight;  ///< of barycentric interpolation
    [[nodiscard]] double log_at(double n) const;
  };
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

 private:
  double value(std::int64_t n);
  [[nodiscard]] Block fit(std::int64_t lo, std::int64_t hi);
  void add(std::int64_t lo, std::int64_t hi);
  [[nodiscard]] bool agrees(const Block& block, double highest);

  std::function<double(std::int64_t)> log_value_;
  std::function<double(double)> log_weight_;
  double tolerance_;
  std::map<std::int64_t, double> known_;
  double top_ = -__builtin_huge_val();
  std::vector<Block> blocks_;
};

}  // namespace postern::infer
