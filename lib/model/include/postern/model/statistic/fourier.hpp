#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

/// Coefficients of the tables of some families of columns: for every non-empty set g of columns within a
/// family, and a contrast c_i >= 1 for each of its columns (helmert.hpp), the sum over the records of
/// prod_{i in g} w^{c_i}(x_i). Those of a set that several families hold are one. Of two-level columns they
/// are the Walsh-Hadamard coefficients. That of the empty set is the number of records: RecordCount.
///
/// A block holds those of one scale: noise in proportion to 2^{scale/2} makes all of them worth the same in a
/// table's cells (statistic/fourier/cost.md). Two-level columns have scale 0 only.
struct FourierCoefficients {
  std::vector<std::vector<std::string>> families;
  std::int32_t scale = 0;
};
[[nodiscard]] const StatisticKind& kind_of(const FourierCoefficients& coefficients);

/// Where a coefficient stands in the transformed table of the first family that holds its columns, row-major.
struct FourierTerm {
  std::uint32_t family = 0;
  std::uint32_t cell = 0;
};
/// One a coordinate, in the order of the block's values. Fails: bad_value for families that cannot be.
[[nodiscard]] std::vector<FourierTerm> fourier_terms(const FourierCoefficients& coefficients,
                                                     const Schema& schema);
/// The scales that coefficients of these families have, increasing.
[[nodiscard]] std::vector<std::int32_t> fourier_scales(const std::vector<std::vector<std::string>>& families,
                                                       const Schema& schema);
/// A rational near 2^{-scale/2}: what coefficients of a scale are weighed by, in lambda or 1/sigma.
[[nodiscard]] Rational fourier_weight(std::int32_t scale);

}  // namespace postern::model
