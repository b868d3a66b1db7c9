#pragma once

#include <string>
#include <string_view>

namespace postern {

/// Names may come from strangers: what a terminal or an editor would obey instead of showing it is shown by
/// its code (u001b). That is control characters, line separators, marks that turn the direction of writing
/// and characters that nobody sees; a byte that is not UTF-8 is xff. Everything else stays. Inside a
/// JSON string these are JSON's own escapes.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace postern
