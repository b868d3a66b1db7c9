#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/noise/noisy_value.hpp"

#include "cell_potentials.hpp"

namespace postern::infer {

/// One row of a CPT whose counts nothing else depends on: what it says about the number N of its records, its
/// counts summed out, and the counts given N. Without noisy values it says nothing.
class LeafRow {
 public:
  LeafRow(std::span<const double> alpha, std::span<const std::vector<NoisyValue>> noisy_values,
          std::int64_t most);
  /// log of sum over counts with sum N of their Dirichlet-multinomial law times that of their noise.
  [[nodiscard]] const CountMessage& message() const { return message_; }
  [[nodiscard]] bool silent() const { return silent_; }
  void draw(std::int64_t total, std::span<std::int64_t> counts, Rng& rng) const;

 private:
  std::vector<double> alpha_;
  CountMessage message_;
  std::vector<std::vector<double>> cells_;   ///< log weights of one cell's counts 0, 1, ...
  std::vector<std::vector<double>> before_;  ///< of the sum of the first cells
  bool silent_ = true;
};

}  // namespace postern::infer
