#pragma once

#include <vector>

#include "postern/infer/public_rows.hpp"
#include "postern/model/study.hpp"

#include "problem.hpp"

namespace postern::infer {

/// Public records as the study encodes them: levels of the features and the target, row after row, with
/// warnings about fields that it does not declare. Throws bad_option where a column holds none that it does.
[[nodiscard]] PublicRows encoded_rows(const std::vector<PublicColumn>& columns, const model::Study& study);
/// The records that such rows are. Throws bad_option for levels that there are not.
[[nodiscard]] std::vector<LabelledRow> labelled_rows(const PublicRows& rows, const model::Study& study);

}  // namespace postern::infer
