#include <algorithm>

#include "postern/core/json_text.hpp"
#include "postern/core/json_value.hpp"

namespace postern {
namespace {

struct Printer {
  std::string& out;  // NOLINT(*-avoid-const-or-ref-data-members)

  void operator()(JsonNull) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(const JsonInteger& value) const { out += value.digits; }
  void operator()(const std::string& text) const { out += json_quoted(text); }

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
      out += json_quoted(sorted[i]->key);
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

}  // namespace postern
