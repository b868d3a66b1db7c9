#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace postern {

using Digest = std::array<std::uint8_t, 32>;
[[nodiscard]] Digest sha256(std::string_view bytes);
[[nodiscard]] std::string to_hex(const std::uint8_t* bytes, std::size_t size);
[[nodiscard]] inline std::string to_hex(const Digest& digest) { return to_hex(digest.data(), digest.size()); }

}  // namespace postern
