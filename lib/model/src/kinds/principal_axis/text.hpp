#pragma once

#include "postern/model/kinds/principal_axis.hpp"

namespace postern::model {

[[nodiscard]] PrincipalAxis read_axis(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_axis(const PrincipalAxis& model);
void check_axis(const PrincipalAxis& model, const Schema& schema);

}  // namespace postern::model
