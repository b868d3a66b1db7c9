#include "study/draft_text.hpp"

#include <algorithm>

namespace postern::model {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// A TOML basic string.
std::string toml_text(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string toml_key(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
  return plain ? name : toml_text(name);
}

std::string draft_head(const std::string& name, const std::string& source) {
  return "# A study: the public facts, declared before any record is read. It is published with every "
         "release.\n"
         "# Drafted " +
         source +
         ". Fill in what is marked <-, delete what you "
         "do not need, then:\n"
         "#   postern plan STUDY --epsilon 1 --n 5000\n"
         "version = 2\n"
         "name    = " +
         toml_text(name) +
         "\n"
         "dataset = " +
         toml_text(name) +
         "      # <- whose budget is spent; studies of the same people share it\n"
         "\n"
         "[privacy]\n"
         "unit      = \"record\"           # whose presence is hidden: one record\n"
         "# unit    = { column = \"person_id\", at_most = 3 }   # or all records of a person; needs "
         "add-remove\n"
         "adjacency = \"replace-one\"      # the number of records is public. To hide it too, as we advise:\n"
         "# adjacency = \"add-remove\"\n"
         "# n         = { at_most = 100000 }\n"
         "currency  = \"pure\"             # budgets in epsilon; \"zcdp\": budgets in rho, Gaussian noise\n";
}

}  // namespace postern::model
