#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/schema.hpp"
#include "postern/model/statistic/fourier.hpp"

namespace postern::owner {

/// Coefficients from the counts of the families' tables, each table transformed once for all blocks.
class FourierKernel {
 public:
  using Counts = std::function<std::span<const std::int64_t>(const std::vector<std::string>& family)>;

  /// `counts` gives the table of a family, row-major.
  FourierKernel(const model::Schema& schema, Counts counts) : schema_(schema), counts_(std::move(counts)) {}
  /// As model::Tally defines them.
  [[nodiscard]] std::vector<Int128> measure(const model::FourierCoefficients& coefficients);

 private:
  const std::vector<Int128>& transformed(const std::vector<std::string>& family);

  const model::Schema& schema_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the kernel
  Counts counts_;
  std::map<std::vector<std::string>, std::vector<Int128>> tables_;
};

}  // namespace postern::owner
