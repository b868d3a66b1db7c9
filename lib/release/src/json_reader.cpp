#include "json_reader.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "postern/core/error.hpp"

#include "limits.hpp"

namespace postern::release {
namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;

/// Builds the tree from the tokeniser's events and stops it at the first thing a document may not hold.
class TreeBuilder final : public Sax {
 public:
  bool null() override { return add({JsonNull{}}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(number_integer_t value) override { return add({JsonInteger{std::to_string(value)}}); }
  bool number_unsigned(number_unsigned_t value) override { return add({JsonInteger{std::to_string(value)}}); }
  /// Also called for integers past 64 bits, with their text.
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    if (text.find_first_not_of("-0123456789") != std::string::npos) {
      return refuse(ErrorCode::release_malformed,
                    {"holds the float ", from_document(text),
                     "; a release has none, so this file was not written by postern"});
    }
    if (text.size() - (text.front() == '-' ? 1 : 0) > kMaxDigits) return refuse_digits();
    return add({JsonInteger{text}});
  }
  bool string(string_t& text) override { return fits(text) && add({std::move(text)}); }
  bool binary(binary_t& /*bytes*/) override {
    return refuse(ErrorCode::release_malformed, {"holds binary data"});
  }
  bool start_object(std::size_t /*size*/) override { return open({JsonObject{}}); }
  bool start_array(std::size_t /*size*/) override { return open({JsonArray{}}); }
  bool key(string_t& text) override {
    if (!fits(text) || !count(2)) return false;
    std::get<JsonObject>(open_.back()->data).push_back({std::move(text), {}});
    return true;
  }
  bool end_array() override { return close(); }
  bool end_object() override { return has_distinct_keys() && close(); }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& why) override {
    constexpr int kNumberOverflow = 406;
    if (why.id == kNumberOverflow) return refuse_digits();
    return refuse(ErrorCode::release_malformed,
                  {"is not JSON at byte ", public_number(static_cast<long long>(position)), ", near '",
                   from_document(token), "': it was cut short or edited; get it again from its owner"});
  }

  /// Why the tokeniser was stopped.
  [[nodiscard]] Error error() const { return {code_, PublicText{"the document ", quote(why_, 400)}}; }
  [[nodiscard]] JsonValue take() { return std::move(root_); }

 private:
  bool refuse(ErrorCode code, const PublicText& why) {
    code_ = code;
    why_ = why.str();
    return false;
  }
  bool refuse_digits() {
    return refuse(ErrorCode::release_limit, {"holds an integer of more than ", public_number(kMaxDigits),
                                             " digits, which no release needs; get it again from its owner"});
  }

  bool count(std::size_t tokens) {
    tokens_ += tokens;
    if (tokens_ <= kMaxTokens) return true;
    return refuse(ErrorCode::release_limit,
                  {"has more than ", public_number(kMaxTokens), " tokens; release fewer cells"});
  }

  bool fits(const std::string& text) {
    if (text.size() <= kMaxText) return true;
    return refuse(ErrorCode::release_limit,
                  {"holds a text longer than ", public_number(kMaxText), " bytes, which no release needs"});
  }

  /// Where the next value goes.
  JsonValue* place(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* items = std::get_if<JsonArray>(&open_.back()->data))
      return &items->emplace_back(std::move(value));
    JsonValue& slot = std::get<JsonObject>(open_.back()->data).back().value;
    slot = std::move(value);
    return &slot;
  }

  bool add(JsonValue value) {
    if (!count(2)) return false;  // a value and the separator after it
    place(std::move(value));
    return true;
  }

  bool open(JsonValue value) {
    if (!count(2)) return false;
    if (open_.size() == kMaxDepth) {
      return refuse(ErrorCode::release_limit,
                    {"is nested deeper than ", public_number(kMaxDepth), " levels, which no release is"});
    }
    open_.push_back(place(std::move(value)));  // stays put: nothing is added to its parent while it is open
    return true;
  }

  bool close() {
    open_.pop_back();
    return count(1);
  }

  bool has_distinct_keys() {
    const auto& members = std::get<JsonObject>(open_.back()->data);
    const auto rises = [](const JsonMember& a, const JsonMember& b) { return a.key >= b.key; };
    if (std::adjacent_find(members.begin(), members.end(), rises) == members.end()) return true;
    std::vector<std::string_view> keys;
    keys.reserve(members.size());
    for (const JsonMember& member : members) keys.emplace_back(member.key);
    std::sort(keys.begin(), keys.end());
    const auto twin = std::adjacent_find(keys.begin(), keys.end());
    if (twin == keys.end()) return true;
    return refuse(ErrorCode::release_malformed,
                  {"holds the key '", from_document(*twin),
                   "' twice in one object, so readers could disagree; get it again from its owner"});
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;
  std::size_t tokens_ = 0;
  ErrorCode code_ = ErrorCode::internal;
  std::string why_;
};

}  // namespace

JsonValue parse_json(std::string_view text) {
  TreeBuilder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  throw Error(builder.error());
}

}  // namespace postern::release
