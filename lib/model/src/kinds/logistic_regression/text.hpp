#pragma once

#include "postern/model/kinds/logistic_regression.hpp"

namespace postern::model {

[[nodiscard]] LogisticRegression read_logistic(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_logistic(const LogisticRegression& model);
void check_logistic(const LogisticRegression& model, const Schema& schema);

}  // namespace postern::model
