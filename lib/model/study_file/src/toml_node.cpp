#include "toml_node.hpp"

#include "column_reader.hpp"

namespace postern::model {

std::int64_t TomlNode::integer(std::string_view key, std::int64_t lo, std::int64_t hi) {
  const std::int64_t value = table_.integer(key);
  if (value < lo || value > hi) {
    table_.refuse(ErrorCode::bad_value, key,
                  {"'", from_study(key), "' is ", public_number(value), "; it must lie in ",
                   public_number(lo), "..", public_number(hi)});
  }
  return value;
}

std::uint32_t TomlNode::level(std::string_view key, const Column& column) {
  return read_level(table_, std::string(key).c_str(), column, table_.text(key)).level;
}

}  // namespace postern::model
