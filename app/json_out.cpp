#include "json_out.hpp"

#include <nlohmann/json.hpp>

#include "text.hpp"

namespace postern::app {

struct Writer {
  static nlohmann::ordered_json convert(const Json& json) {
    return std::visit(
        [](const auto& value) -> nlohmann::ordered_json {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, std::vector<Json>>) {
            auto out = nlohmann::ordered_json::array();
            for (const Json& item : value) out.push_back(convert(item));
            return out;
          } else if constexpr (std::is_same_v<T, Json::Members>) {
            auto out = nlohmann::ordered_json::object();
            for (const auto& [key, member] : value) out[key] = convert(member);
            return out;
          } else {
            return value;
          }
        },
        json.value_);
  }
};

Json Json::object() {
  Json out;
  out.value_ = Members();
  return out;
}

Json Json::array() {
  Json out;
  out.value_ = std::vector<Json>();
  return out;
}

Json& Json::set(std::string key, Json value) {
  std::get<Members>(value_).emplace_back(std::move(key), std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  std::get<std::vector<Json>>(value_).push_back(std::move(value));
  return *this;
}

std::string Json::text() const {
  const std::string dump =
      Writer::convert(*this).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // Names may come from strangers, and JSON lets characters through that a terminal obeys.
  std::string out;
  for (const std::string& line : split_lines(dump)) out += printable(line) + '\n';
  return out;
}

}  // namespace postern::app
