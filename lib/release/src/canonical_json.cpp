#include <algorithm>

#include "json_value.hpp"

namespace postern::release {
namespace {

void print_text(const std::string& text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') {
      out += c;
      continue;
    }
    constexpr std::string_view kNamed = "\"\\\b\t\n\f\r";
    constexpr std::string_view kNames = "\"\\btnfr";
    const std::size_t named = kNamed.find(c);
    if (named != std::string_view::npos) {
      out += {'\\', kNames[named]};
    } else {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  out += '"';
}

struct Printer {
  std::string& out;  // NOLINT(*-avoid-const-or-ref-data-members)

  void operator()(JsonNull) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(const JsonInteger& value) const { out += value.digits; }
  void operator()(const std::string& text) const { print_text(text, out); }

  void operator()(const JsonArray& items) const {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ',';
      std::visit(*this, items[i].data);
    }
    out += ']';
  }

  void operator()(const JsonObject& members) const {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(members.size());
    for (const JsonMember& member : members) sorted.push_back(&member);
    // Bytes of UTF-8 sort as code points do.
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->key < b->key; });
    out += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0) out += ',';
      print_text(sorted[i]->key, out);
      out += ':';
      std::visit(*this, sorted[i]->value.data);
    }
    out += '}';
  }
};

}  // namespace

std::string to_canonical(const JsonValue& value) {
  std::string out;
  std::visit(Printer{out}, value.data);
  return out;
}

}  // namespace postern::release
