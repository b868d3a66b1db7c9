#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace postern::owner {

/// Levels of one column, in the narrowest integer that holds them.
using CodedColumn = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

/// The records, encoded: columns of levels. Move-only, never printed; only the owner's side can name it.
class Records {
 public:
  Records(std::vector<std::string> names, std::vector<CodedColumn> columns, std::size_t rows);
  Records(Records&&) noexcept = default;
  Records& operator=(Records&&) noexcept = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records();                                        ///< wipes the levels
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const CodedColumn& column(const std::string& name) const;

 private:
  std::vector<std::string> names_;
  std::vector<CodedColumn> columns_;
  std::size_t rows_ = 0;
};

}  // namespace postern::owner
