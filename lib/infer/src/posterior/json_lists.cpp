#include "json_lists.hpp"

#include "postern/core/json_text.hpp"

#include "csv_text.hpp"

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

std::string json_implied_noise(const ImpliedNoise& implied) {
  std::string blocks;
  for (const ImpliedNoise::Block& block : implied.blocks) {
    blocks += (blocks.empty() ? "{\"block\": " : ", {\"block\": ") + json_quoted(block.what) +
              ", \"values\": " + std::to_string(block.values) + ", \"size\": " + csv_number(block.size) +
              ", \"sum\": " + csv_number(block.sum) + ", \"deviations\": " + csv_number(block.deviations) +
              ", \"worst\": " + json_quoted(block.worst) +
              ", \"worst_deviations\": " + csv_number(block.worst_deviations) +
              ", \"by_sum\": " + (block.by_sum ? "true" : "false") +
              ", \"chance\": " + csv_number(block.chance) + "}";
  }
  return "{\"chance\": " + csv_number(implied.chance) + ", \"tests\": " + std::to_string(implied.tests) +
         ", \"blocks\": [" + blocks + "]}";
}

}  // namespace postern::infer
