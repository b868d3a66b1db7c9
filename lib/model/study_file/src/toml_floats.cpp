#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "toml_plus.hpp"
#include "toml_reader.hpp"

namespace postern::model {
namespace {

constexpr int kPlaces = 18;

/// The decimal that was meant by a float, to eighteen places.
std::optional<Rational> decimal_of(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  std::array<char, 400> digits{};
  const auto parse = [&](char* end) {
    return parse_decimal({digits.data(), static_cast<std::size_t>(end - digits.data())}, kPlaces);
  };
  auto shortest = parse(
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr);
  if (shortest) return shortest;
  return parse(
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed, kPlaces)
          .ptr);
}

std::optional<Rational> number_of(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return Rational(static_cast<long>(whole->get()));
  if (const auto* real = node.as_floating_point()) return decimal_of(real->get());
  const auto* text = node.as_string();
  return text == nullptr ? std::nullopt : parse_number(text->get(), kPlaces);
}

}  // namespace

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  const toml::node* node = static_cast<const toml::table*>(table_)->get(key);
  const toml::array* list = node == nullptr ? nullptr : node->as_array();
  if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table)) {
    refuse(
        node == nullptr ? ErrorCode::missing_key : ErrorCode::wrong_type, key,
        {"'", from_study(key), "' must be one table or more, each under its own [[", from_study(path), "]]"});
  }
  std::vector<TomlTable> out;
  for (const toml::node& one : *list) out.push_back({one.as_table(), file_, path});
  return out;
}

Rational TomlTable::number(std::string_view key) const {
  const toml::node* node = static_cast<const toml::table*>(table_)->get(key);
  if (node == nullptr) refuse(ErrorCode::missing_key, "", {"the key '", from_study(key), "' is missing"});
  const auto value = number_of(*node);
  if (!value) refuse(ErrorCode::wrong_type, key, {"'", from_study(key), "' must be a number"});
  return *value;
}

std::vector<std::optional<Rational>> TomlTable::numbers_or(std::string_view key,
                                                           std::string_view absent) const {
  const toml::node* node = static_cast<const toml::table*>(table_)->get(key);
  if (node == nullptr) refuse(ErrorCode::missing_key, "", {"the key '", from_study(key), "' is missing"});
  const toml::array* list = node->as_array();
  if (list == nullptr) refuse(ErrorCode::wrong_type, key, {"'", from_study(key), "' must be a list"});
  std::vector<std::optional<Rational>> out;
  out.reserve(list->size());
  for (const toml::node& one : *list) {
    const auto* text = one.as_string();
    if (text != nullptr && text->get() == absent) {
      out.emplace_back();
      continue;
    }
    out.push_back(number_of(one));
    if (!out.back()) {
      refuse(ErrorCode::wrong_type, key,
             {"'", from_study(key), "' must hold numbers of at most 30 digits before the point, or \"",
              from_study(absent), "\"; its ", public_number(static_cast<long long>(out.size())),
              ". item is neither"});
    }
  }
  return out;
}

}  // namespace postern::model
