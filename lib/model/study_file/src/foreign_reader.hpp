#pragma once

#include "postern/model/foreign.hpp"

#include "toml_reader.hpp"

namespace postern::model {

/// The [foreign] section of a file whose other keys are that study.
[[nodiscard]] Foreign read_foreign(const TomlTable& table, const Study& study);

}  // namespace postern::model
