#pragma once

#include <string_view>

namespace postern::model {

/// Refuses text that is not TOML in ways that toml++ 3.3 cannot bear. Characters past ASCII outside quotes
/// and comments are undefined behaviour in it; so that both agree on what is in quotes, quotes, brackets and
/// = may stand only where TOML can have them. Keys of very many parts (a.a.a...) and deep brackets become as
/// many nested tables, whose destruction overflows the stack. Throws study_syntax.
void check_toml_form(std::string_view text, std::string_view file_name);

}  // namespace postern::model
