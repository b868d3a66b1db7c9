#pragma once

#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// A JSON array of texts.
[[nodiscard]] std::string json_list(const std::vector<std::string>& texts);
/// The columns of a table, each with its levels, as a JSON array.
[[nodiscard]] std::string json_table(const std::vector<TableColumn>& table);

/// The noise that a posterior implies, as a JSON object.
[[nodiscard]] std::string json_implied_noise(const ImpliedNoise& implied);

}  // namespace postern::infer
