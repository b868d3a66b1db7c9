#pragma once

#include <string>

#include "postern/core/public_text.hpp"
#include "postern/model/column.hpp"

#include "toml_reader.hpp"

namespace postern::model {

/// One [columns.NAME] table. `may_drop`: n is private, so a record may be left out.
[[nodiscard]] Column read_column(const std::string& name, const TomlTable& table, bool may_drop);

/// A declared value of the column, named by its label under `key`; `or_else` is what else could stand there.
[[nodiscard]] MapTo read_level(const TomlTable& table, const char* key, const Column& column,
                               const std::string& label, const PublicText& or_else = {});

}  // namespace postern::model
