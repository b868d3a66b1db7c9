#pragma once

#include <optional>
#include <string_view>

#include "postern/core/rational.hpp"

namespace postern {

/// A number as people write it, exactly: "12", "-0.125", ".5" or "1e-3"; nothing if it is none, or none of at
/// most 30 digits before the point and `places` behind it.
[[nodiscard]] std::optional<Rational> parse_number(std::string_view text, int places = 9);

}  // namespace postern
