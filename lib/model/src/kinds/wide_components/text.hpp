#pragma once

#include "postern/model/kinds/wide_components.hpp"

namespace postern::model {

[[nodiscard]] WideComponents read_wide(Node& node);
[[nodiscard]] JsonValue write_wide(const WideComponents& model);
void check_wide(const WideComponents& model, const Schema& schema);

}  // namespace postern::model
