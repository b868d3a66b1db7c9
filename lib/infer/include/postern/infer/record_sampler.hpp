#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// What records are where they are the sequences of people.
struct Sequences {
  std::string person;       ///< the column of ids
  std::size_t usual = 1;    ///< records of a person, unless said
  std::size_t longest = 1;  ///< as many as there are times
};

/// The law of one record, or of one person's records, given the parameters of a model. Immutable; safe to
/// share.
class RecordSampler {
 public:
  RecordSampler() = default;
  RecordSampler(const RecordSampler&) = delete;
  RecordSampler& operator=(const RecordSampler&) = delete;
  virtual ~RecordSampler() = default;

  /// Parameters, in the order of the model's, made ready to draw from. @pre they are probabilities
  [[nodiscard]] virtual std::vector<double> ready(std::span<const double> theta) const = 0;
  /// Nothing where records stand alone.
  [[nodiscard]] virtual std::optional<Sequences> sequences() const { return std::nullopt; }
  /// One record: a level for each of the model's columns; of sequences those of as many records as there is
  /// room for, row by row.
  virtual void draw(std::span<const double> ready, std::span<std::uint32_t> levels, Rng& rng) const = 0;
};

}  // namespace postern::infer
