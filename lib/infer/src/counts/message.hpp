#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numeric/window.hpp"

namespace postern::infer {

/// What a part of the tree says about the sum of its counts: a weight for each integer of a window, 0
/// elsewhere.
struct Message {
  std::int64_t lo = 0;
  std::vector<double> weight;

  [[nodiscard]] Window window() const { return {lo, lo + static_cast<std::int64_t>(weight.size()) - 1}; }
  [[nodiscard]] double at(std::int64_t r) const {
    return window().contains(r) ? weight[static_cast<std::size_t>(r - lo)] : 0;
  }
};

/// Where a convolution must be right: to about 1e-16 of its largest value (one transform), or to about 1e-11
/// of each value (direct sums, or transforms under several tilts).
enum class Care { of_largest, of_each };

struct Convolution {
  Message message;
  double error = 0;  ///< absolute, of any one weight; 0 where each weight is right by itself
};

/// The weights of a + b on `keep`. @pre all weights >= 0 and finite
[[nodiscard]] Convolution convolve(const Message& a, const Message& b, Window keep, Care care);

/// The same at the multiples of a number in `keep` only, and counted in multiples: weight[i] is that of
/// pitch (lo + i).
[[nodiscard]] Convolution convolve_multiples(const Message& a, const Message& b, Window keep,
                                             std::int64_t pitch, Care care);

/// What may be dropped at one end of a message: as long as, tilted by e^{tilt r}, it is at most `share` of
/// the whole.
struct Cut {
  double tilt = 0;
  double share = 0;
};
/// Drops both ends as far as every cut allows, and values below `floor` at the ends in any case.
void trim(Message& message, std::span<const Cut> cuts, double floor);

}  // namespace postern::infer
