#pragma once

#include <string_view>

namespace postern::model {

/// Refuses what toml++ 3.3 does not refuse well. A key of very many parts (a.a.a...) becomes as many nested
/// tables, whose destruction overflows the stack; characters past ASCII outside quotes and comments get a
/// message that says what to do. Text behind the first fault of syntax may be misread here: the parser never
/// comes to it. Throws study_syntax.
void check_toml_form(std::string_view text, std::string_view file_name);

}  // namespace postern::model
