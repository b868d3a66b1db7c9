#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "postern/core/error.hpp"

#include "header.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kLongestName = 200;

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Numbers, dates and times have none.
bool has_letter(const std::string& name) {
  return std::any_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

bool is_number(const std::string& name) {
  double value = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, fault] = std::from_chars(name.data() + (name.starts_with('+') ? 1 : 0), end, value);
  return stop == end && fault != std::errc::invalid_argument;
}

/// 2020-01-31, whatever follows.
bool begins_with_date(std::string_view name) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  return name.size() >= kShape.size() &&
         std::equal(kShape.begin(), kShape.end(), name.begin(),
                    [](char shape, char c) { return shape == 'd' ? is_digit(c) : c == shape; });
}

/// What fields hold and hardly a column is called.
bool is_value(const std::string& name) {
  constexpr std::array<std::string_view, 9> kValues = {"true", "false", "yes",  "na",    "n/a",
                                                       "null", "none",  "male", "female"};
  const std::string lower = in_lower_case(name);
  return std::find(kValues.begin(), kValues.end(), lower) != kValues.end();
}

bool is_no_name(const std::string& name) {
  return !has_letter(name) || is_number(name) || begins_with_date(name) || is_value(name) ||
         name.find('@') != std::string::npos || name.size() > kLongestName;
}

}  // namespace

void refuse_values_as_names(const std::vector<std::string>& header, const std::string& path) {
  const std::set<std::string> different(header.begin(), header.end());
  const bool one_value = header.size() == 1 && in_lower_case(header.front()) == "no";
  if (different.size() == header.size() && !one_value &&
      std::none_of(header.begin(), header.end(), is_no_name))
    return;
  throw Error(ErrorCode::no_header,
              {"the first line of '", from_option(path),
               "' may be a record, so nothing of it is used: a name in it is empty (as pandas writes for its "
               "index), repeated, a number, a date or another usual value. Put a line of names above the "
               "records, or give the names with --columns a,b,c"});
}

}  // namespace postern::owner
