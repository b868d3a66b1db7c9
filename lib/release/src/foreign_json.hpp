#pragma once

#include "postern/core/json_value.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

inline constexpr std::string_view kForeignFormat = "postern-foreign";

/// @pre the release was made elsewhere.
[[nodiscard]] JsonValue foreign_json(const Release& release);
/// The same without the id, which is made from it.
[[nodiscard]] JsonValue foreign_declaration(const Release& release);
[[nodiscard]] bool is_foreign_document(const JsonValue& tree);
[[nodiscard]] Release read_foreign_document(const JsonValue& tree);

}  // namespace postern::release
