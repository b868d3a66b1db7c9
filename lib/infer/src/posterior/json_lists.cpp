#include "json_lists.hpp"

#include "postern/core/json_text.hpp"

namespace postern::infer {

std::string json_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "[" : ", ") + json_quoted(text);
  return out.empty() ? "[]" : out + "]";
}

std::string json_table(const std::vector<TableColumn>& table) {
  std::string out;
  for (const TableColumn& column : table) {
    out += (out.empty() ? "{\"column\": " : ", {\"column\": ") + json_quoted(column.name) +
           ", \"levels\": " + json_list(column.levels) + "}";
  }
  return "[" + out + "]";
}

}  // namespace postern::infer
