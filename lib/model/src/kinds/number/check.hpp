#pragma once

#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"

namespace postern::model {

/// Everything that ties a number's family, its known parameters, its prior and its column together.
void check_number(const Number& model, const Column& column);

/// Known parameters are keys of their own; the prior is named: prior = { gamma = [8, 2] }.
[[nodiscard]] Number read_number(Node& node, const NumberFamily& family);

}  // namespace postern::model
