#pragma once

#include <string>

#include "postern/model/study.hpp"

namespace postern::model {

/// What a release does with fields and records that are not as the study declares them, in one sentence made
/// of the study alone: it is the same whether a record was affected or none.
[[nodiscard]] std::string silent_rules(const Study& study);

}  // namespace postern::model
