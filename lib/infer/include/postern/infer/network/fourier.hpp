#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/model/schema.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Tables of families as a Fourier release gives them, before or after a repair: whole numbers over a common
/// denominator a family. Cells may be negative. All tables agree, exactly, on the columns that they share.
struct FourierTable {
  std::vector<std::string> columns;
  std::vector<std::uint32_t> sizes;
  std::vector<Integer> numerators;  ///< row-major
  Integer denominator = 1;
};
[[nodiscard]] Rational cell(const FourierTable& table, std::size_t index);

/// Noisy coefficients, one a set of columns and their contrasts: what the blocks of a release hold, and n as it
/// is published or, where it is private, noised. Functions of it are post-processing: they cost nothing.
class NoisyCoefficients {
 public:
  /// Several releases of the same records: values of one coefficient are weighed by their precision, so
  /// that they are no longer whole. Fails: engine_unsuitable if a coefficient of a family, or n, is missing.
  NoisyCoefficients(const std::vector<const release::Release*>& releases);
  /// The number of records: public, or noised.
  [[nodiscard]] const Rational& total() const { return total_; }
  [[nodiscard]] bool total_is_public() const { return public_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& families() const { return families_; }
  /// The coefficients of a family, in the order of its transformed table; the first is the total.
  [[nodiscard]] std::vector<Rational> of(std::size_t family) const;
  /// As they are.
  [[nodiscard]] std::vector<FourierTable> tables() const;

  /// max(0, max over all cells of -cells x value): the least that must be added to the total for no cell of
  /// any family to be negative.
  [[nodiscard]] Rational least_increment() const;
  /// The largest factor, at most 1, by which all coefficients but the total may be multiplied for no cell to
  /// be negative; 0 if the total is not positive.
  [[nodiscard]] Rational largest_shrinkage() const;
  /// With the total raised by `increment` and all else multiplied by `shrinkage`.
  [[nodiscard]] std::vector<FourierTable> repaired(const Rational& increment, const Rational& shrinkage) const;
  /// No cell negative: where n is public shrunk, so that tables still add up to it, else incremented.
  [[nodiscard]] std::vector<FourierTable> repaired() const;

 private:
  model::Schema schema_;
  std::vector<std::vector<std::string>> families_;
  std::map<std::map<std::string, std::uint32_t>, Rational> values_;  ///< contrasts by column, from 1 on
  Rational total_;
  bool public_ = true;
};

}  // namespace postern::infer
