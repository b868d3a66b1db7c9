#pragma once

#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// P(event | given): which cells of the model's table each side holds. Every cell when there is no condition.
struct Query {
  std::string text;
  std::vector<bool> event;  ///< one entry a cell, row-major; event lies inside given
  std::vector<bool> given;
};

/// "P(smoker = yes)", "P(smoker = yes, cancer = no)", "P(cancer = yes | smoker = yes)". A value with a comma,
/// a bar or a bracket in it stands in double quotes. Columns that are not named are summed over. Throws
/// bad_option with the nearest name.
[[nodiscard]] Query parse_query(const std::string& text, const model::Study& study);

/// Adds the query's draws and summary line to a posterior of that study's model, under the name
/// query.N, counting from 1.
void answer_query(const Query& query, std::size_t number, const model::Study& study, Posterior& posterior);

}  // namespace postern::infer
