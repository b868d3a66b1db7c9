#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "field.hpp"

namespace postern::owner {

/// Ids of Arrow values, a block at a time: the bytes of a text, the decimal digits of a number, as a CSV file
/// would have them. A null, and a float that is not a number, is missing. Not for use by two threads at once.
class IdBlock {
 public:
  static constexpr std::size_t kRows = 1024;
  IdBlock();
  /// The ids of some rows; they live until the next call. @pre count <= kRows
  [[nodiscard]] std::span<PersonId> collect(const ArrowFields& ids, std::size_t begin, std::size_t count);

 private:
  std::vector<PersonId> ids_;
  Wiped<char> spelled_;  // numbers, each at its place
};

}  // namespace postern::owner
