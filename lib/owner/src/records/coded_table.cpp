#include "postern/owner/coded_table.hpp"

#include <algorithm>

#include <string.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

/// Whether a column has the right length and no level out of range: counting relies on it for its memory.
bool sound(const CodedColumn& column, std::uint32_t levels, std::size_t rows) {
  return std::visit(
      [&](const auto& codes) {
        typename std::decay_t<decltype(codes)>::value_type most = 0;
        for (const auto code : codes) most = std::max(most, code);
        return codes.size() == rows && (rows == 0 || most < levels);
      },
      column);
}

}  // namespace

void wipe(void* memory, std::size_t bytes) noexcept { explicit_bzero(memory, bytes); }

CodedColumn make_coded_column(std::uint32_t levels) {
  if (levels <= 1u << 8) return Wiped<std::uint8_t>();
  if (levels <= 1u << 16) return Wiped<std::uint16_t>();
  return Wiped<std::uint32_t>();
}

Records::Records(std::vector<std::string> names, std::vector<std::uint32_t> levels,
                 std::vector<CodedColumn> columns, std::size_t rows)
    : names_(std::move(names)), levels_(std::move(levels)), columns_(std::move(columns)), rows_(rows) {
  bool good = names_.size() == columns_.size() && levels_.size() == columns_.size();
  for (std::size_t c = 0; good && c < columns_.size(); ++c) good = sound(columns_[c], levels_[c], rows_);
  if (!good) throw Error(ErrorCode::internal, {"the coded records do not fit their columns"});
}

std::size_t Records::place(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    throw Error(ErrorCode::unknown_column, {"the column '", from_study(name), "' was not read"});
  }
  return static_cast<std::size_t>(found - names_.begin());
}

const CodedColumn& Records::column(const std::string& name) const { return columns_[place(name)]; }
std::uint32_t Records::levels(const std::string& name) const { return levels_[place(name)]; }

}  // namespace postern::owner
