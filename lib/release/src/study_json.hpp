#pragma once

#include <string>

#include "postern/core/json_value.hpp"
#include "postern/model/study.hpp"

namespace postern::release {

/// All of a study: enough to encode a record, to recompute sensitivity and cost, and to infer. Levels are
/// written as their index in the order of declaration.
[[nodiscard]] JsonValue study_json(const model::Study& study);
[[nodiscard]] JsonValue column_json(const model::Column& column);
[[nodiscard]] JsonValue values_json(const model::Values& values);
[[nodiscard]] JsonValue model_json(const model::Model& model);
/// "record", or {"at_most": k, "column": name}.
[[nodiscard]] JsonValue unit_json(const model::Unit& unit);

/// The inverses. `where` is the path that messages name. Throw release_malformed, release_limit,
/// release_inconsistent.
[[nodiscard]] model::Study read_study(const JsonValue& value, const std::string& where);
[[nodiscard]] model::Unit read_unit(const JsonValue& value, const std::string& where);

}  // namespace postern::release
