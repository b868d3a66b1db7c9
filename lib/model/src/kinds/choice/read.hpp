#pragma once

#include "postern/model/kinds/choice.hpp"

namespace postern::model {

[[nodiscard]] Choice read_choice(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_choice(const Choice& model);
void check_choice(const Choice& model, const Schema& schema);

}  // namespace postern::model
