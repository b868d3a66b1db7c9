#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace postern::app {

/// `prose` is for a last column of sentences: they are broken into lines, never cut.
enum class Align { left, right, prose };

/// A plain text table. It fits `width` terminal columns by cutting its left-aligned columns in the
/// middle, widest first; numbers are never cut. It is wider where two different texts would else look alike.
class TextTable {
 public:
  TextTable& column(const std::string& title, Align align);
  /// @pre one cell a column
  void row(std::vector<std::string> cells);
  [[nodiscard]] std::string text(std::size_t width = 96) const;
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  /// The least width from `width` on at which different texts of a column stay different.
  [[nodiscard]] std::size_t telling_width(std::size_t column, std::size_t width) const;
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t limit) const;
  std::vector<std::string> titles_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace postern::app
