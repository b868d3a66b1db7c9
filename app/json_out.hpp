#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace postern::app {

/// A JSON result under construction; members keep the order in which they were set.
class Json {
 public:
  Json() : value_(nullptr) {}
  Json(const std::string& text) : value_(text) {}             // NOLINT(*-explicit-*)
  Json(std::string_view text) : value_(std::string(text)) {}  // NOLINT(*-explicit-*)
  Json(const char* text) : value_(std::string(text)) {}       // NOLINT(*-explicit-*)
  Json(double number) : value_(number) {}                     // NOLINT(*-explicit-*)
  Json(std::same_as<bool> auto truth) : value_(truth) {}      // NOLINT(*-explicit-*)
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  Json(I number) : value_(static_cast<std::int64_t>(number)) {}  // NOLINT(*-explicit-*)
  template <class T>
  Json(const std::optional<T>& maybe) : Json() {  // NOLINT(*-explicit-*)
    if (maybe) *this = Json(*maybe);
  }
  template <class T>
  static Json list(const std::vector<T>& items) {
    Json out = array();
    for (const T& item : items) out.push(Json(item));
    return out;
  }
  static Json object();
  static Json array();

  Json& set(std::string key, Json value);
  Json& push(Json value);
  [[nodiscard]] std::string text() const;

 private:
  friend struct Writer;
  using Members = std::vector<std::pair<std::string, Json>>;
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::vector<Json>, Members> value_;
};

}  // namespace postern::app
