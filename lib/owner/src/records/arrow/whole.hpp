#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"

#include "steps.hpp"

namespace postern::owner {

/// Numbers value / 10^scale -> codes of one column (levels or kDropped), the same as for their text.
class WholeCodes {
 public:
  /// The column and its encoder must outlive this.
  WholeCodes(const model::Column& column, const model::Encoder& encoder, int scale);
  [[nodiscard]] std::uint32_t code(std::int64_t value) const {
    const std::uint64_t step = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(table_begin_);
    if (step < table_.size()) return table_.data()[step];
    return search_.ready() ? codes_.data()[search_.passed(value)] : find(value);
  }
  /// For numbers that do not fit.
  [[nodiscard]] std::uint32_t code_by_text(std::uint64_t value) const;
  [[nodiscard]] std::uint32_t code_by_text(std::span<const std::uint64_t> words) const;

 private:
  [[nodiscard]] std::uint32_t find(std::int64_t value) const;
  void take_steps(const model::Column& column);
  void tabulate_steps();
  void tabulate_labels(const model::Categories& categories);

  const model::Encoder& encoder_;
  int scale_;
  std::int64_t whole_ = 1;  // only its multiples have a level; 0: by text alone
  // The steps that a 64-bit number can pass; codes_[k] holds when k of them have been.
  std::vector<std::int64_t> steps_;
  std::vector<std::uint32_t> codes_;
  StepSearch search_;  // ready when every number has a level
  std::int64_t table_begin_ = 0;
  std::vector<std::uint32_t> table_;
};

}  // namespace postern::owner
