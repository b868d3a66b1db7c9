#include "toml_node.hpp"

#include <filesystem>

#include "column_reader.hpp"
#include "text_file.hpp"

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

StudyFiles::File TomlNode::file(std::string_view key) {
  const std::filesystem::path beside = std::filesystem::path(table_.file()).parent_path();
  File out{(beside / table_.text(key)).string(), ""};
  try {
    out.text = read_text_file(out.path);
  } catch (const Error& error) {
    throw table_.refusal(error.code(), key, {quote(error.what(), 400)});
  }
  return out;
}

std::uint32_t TomlNode::level(std::string_view key, const Column& column) {
  return read_level(table_, std::string(key).c_str(), column, table_.text(key)).level;
}

}  // namespace postern::model
