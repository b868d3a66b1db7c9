#pragma once

#include "postern/model/kinds/table.hpp"

namespace postern::model {

void check_bernoulli(const Bernoulli& model, const Schema& schema);
void check_categorical(const Categorical& model, const Schema& schema);

[[nodiscard]] Bernoulli read_bernoulli(Node& node, const Schema& schema);
[[nodiscard]] Categorical read_categorical(Node& node, const Schema& schema);

}  // namespace postern::model
