#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace postern::infer {

/// Values of public rows that a study does not declare, and how often each was there.
using Others = std::map<std::string, std::int64_t, std::less<>>;

/// Keeps the first thousand different ones.
void count_other(Others& others, std::string_view value);
/// The commonest: "'Yes' (10), 'maybe' (2), and others"
[[nodiscard]] std::string told(const Others& others);
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace postern::infer
