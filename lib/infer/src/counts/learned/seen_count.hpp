#pragma once

#include <cstdint>
#include <vector>

#include "counts/cell_noise.hpp"
#include "counts/message.hpp"
#include "counts/sum_tree.hpp"

namespace postern::infer {

/// What is known of one count s before its row's prior: e^log_scale weight(s) on a window. The largest weight
/// is 1.
struct SeenCount {
  Message message;
  double log_scale = 0;
  // Possible counts were cut off at these ends.
  bool cut_low = false;
  bool cut_high = false;
  double tolerance = 1e-10;  ///< share of a leaf's largest weight that may be at such an end
};

/// What noise says of a count in 0..most, down to e^-nats of the largest weight.
[[nodiscard]] SeenCount seen_count(const CellNoise& noise, std::int64_t most, double nats);

/// log of Gamma(s + shape) / (Gamma(shape) s!).
[[nodiscard]] double log_rising_term(double s, double shape);

/// A leaf of a row: what is seen of its count times Gamma(s + shape) / (Gamma(shape) s!) e^{tilt s},
/// normalised. Tails below `floor` times the largest weight are not followed.
struct WeighedLeaf {
  SumLeaf leaf;
  double mean = 0;
  double variance = 0;
  // Weights at ends where possible counts were cut off, relative to the largest.
  double edge_low = 0;
  double edge_high = 0;
};
[[nodiscard]] WeighedLeaf weigh_leaf(const SeenCount& seen, double shape, double tilt, double floor);

}  // namespace postern::infer
