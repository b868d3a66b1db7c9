#pragma once

#include <string_view>

#include "postern/core/json_value.hpp"

namespace postern::release {

/// Reads JSON text with the limits of limits.hpp: no floats, no duplicate keys, valid UTF-8, bounded depth,
/// strings, digits and tokens. Takes any spacing and escapes; whether they are canonical is the caller's
/// question. Throws release_malformed, release_limit.
[[nodiscard]] JsonValue parse_json(std::string_view text);

}  // namespace postern::release
