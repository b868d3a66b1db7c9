#pragma once

#include "postern/model/kinds/generalised_linear.hpp"

namespace postern::model {

/// From a study or a document. Features are all other columns, and the prior the usual one, where a study
/// leaves them out.
[[nodiscard]] GeneralisedLinear read_glm(Node& node, GlmFamily family, const Schema& schema);
[[nodiscard]] JsonValue write_glm(const GeneralisedLinear& model);

/// Refuses columns that cannot be, and priors out of range.
void check_glm(const GeneralisedLinear& model, const Schema& schema);

}  // namespace postern::model
