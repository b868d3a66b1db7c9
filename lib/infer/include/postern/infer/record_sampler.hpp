#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// The law of one record given the parameters of a model. Immutable; safe to share.
class RecordSampler {
 public:
  RecordSampler() = default;
  RecordSampler(const RecordSampler&) = delete;
  RecordSampler& operator=(const RecordSampler&) = delete;
  virtual ~RecordSampler() = default;

  /// Parameters, in the order of the model's, made ready to draw from. @pre they are probabilities
  [[nodiscard]] virtual std::vector<double> ready(std::span<const double> theta) const = 0;
  /// One record: a level for each of the model's columns.
  virtual void draw(std::span<const double> ready, std::span<std::uint32_t> levels, Rng& rng) const = 0;
};

}  // namespace postern::infer
