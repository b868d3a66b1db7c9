#include "undeclared.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "postern/core/public_text.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostKept = 1000;  ///< different values that are told apart
constexpr std::size_t kMostTold = 5;
constexpr std::size_t kLongest = 40;

}  // namespace

void count_other(Others& others, std::string_view value) {
  const auto known = others.find(value);
  if (known != others.end()) {
    ++known->second;
  } else if (others.size() < kMostKept) {
    others.emplace(value, 1);
  }
}

std::string told(const Others& others) {
  std::vector<std::pair<std::string, std::int64_t>> most(others.begin(), others.end());
  std::stable_sort(most.begin(), most.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kMostTold, most.size()); ++i) {
    out += (i == 0 ? "'" : ", '") + std::string(quote(most[i].first, kLongest).view()) + "' (" +
           std::to_string(most[i].second) + ")";
  }
  return most.size() > kMostTold ? out + ", and others" : out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace postern::infer
