#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/release/noise_law.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The part of a table whose cells have one level of one column.
struct MarginLevel {
  std::string name;  ///< "smoker = yes"
  std::size_t cells = 0;
};

/// A released block, as its noise is checked.
struct CheckedBlock {
  std::string what;
  std::size_t first = 0;         ///< of its latent values
  std::vector<double> released;  ///< empty where the law of the noise is not all that happened to a value
  std::size_t size = 0;
  std::optional<release::NoiseLaw> law;
  std::vector<MarginLevel> levels;                   ///< of a table of two columns or more: of all columns
  std::vector<std::vector<std::uint32_t>> level_of;  ///< [column][cell]: which of `levels`
};

/// All blocks of noisy values, in the order of the latent values.
[[nodiscard]] std::vector<CheckedBlock> checked_blocks(const std::vector<release::RecordSet>& sets);

}  // namespace postern::infer
