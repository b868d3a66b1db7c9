#pragma once

#include "postern/core/json_value.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

inline constexpr std::string_view kFormat = "postern-release";
inline constexpr int kVersion = 1;
/// What the document says about timing, in every release of this version.
inline constexpr std::string_view kSideChannels = "noise timing only";

/// Members whose every part a reader must understand, in canonical order.
[[nodiscard]] const std::vector<std::string>& critical_members();
/// "pure-dp", "zcdp".
[[nodiscard]] std::string_view guarantee_text(Currency currency);

enum class WithSignature { yes, no };
[[nodiscard]] JsonValue release_json(const Release& release, WithSignature with);

/// Shape and meaning of a tree whose bytes are already known to be canonical.
[[nodiscard]] Release read_release(const JsonValue& tree);

}  // namespace postern::release
