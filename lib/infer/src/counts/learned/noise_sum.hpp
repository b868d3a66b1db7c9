#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "postern/infer/noise/noisy_value.hpp"

#include "seen_count.hpp"

namespace postern::infer {

/// The law of a sum of independent noises: what a released total says of the sum of its counts.
class NoiseSum {
 public:
  /// Logarithms by |x| in steps, of so many noises of a rate: made once.
  using Table = std::shared_ptr<const std::vector<double>>;
  using Tables = std::map<std::pair<double, std::size_t>, Table>;
  /// @pre none is known by a band alone
  NoiseSum(std::span<const NoisyValue> values, Tables& tables);

  [[nodiscard]] double y() const { return y_; }
  [[nodiscard]] double sd() const { return sd_; }
  /// log P(noise = x), also between integers. Accuracy: exact for one kind of Laplace noise up to a scale of
  /// 32, and for Gaussian noise of sd 2 and more to 1e-15; otherwise a density, to about 1e-4 of its scale.
  [[nodiscard]] double log_pmf(double x) const;

 private:
  void tabulate(double rate, std::size_t terms, Tables& tables);

  double y_ = 0;
  double sd_ = 0;
  Table log_table_;  ///< none: a Gaussian
  double step_ = 1;
  double rate_ = 0;  ///< at which it falls beyond the table
};

/// Layers of a table: its j-th noisy values together, for as many j as every cell has. None where one of them
/// is known by a band alone.
[[nodiscard]] std::vector<std::vector<NoisyValue>> layers_of(
    std::span<const std::vector<NoisyValue>> noisy_values);

/// What sums of the same counts say together of their total in 0..most, less e^-nats.
[[nodiscard]] SeenCount seen_sum(std::span<const NoiseSum> sums, std::int64_t most, double nats);

}  // namespace postern::infer
