#pragma once

#include "postern/model/family.hpp"

#include "toml_reader.hpp"

namespace postern::model {

/// The [model] table of family = "multivariate-normal".
[[nodiscard]] MultivariateNormal read_vector(const TomlTable& table);

}  // namespace postern::model
