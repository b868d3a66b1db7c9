#pragma once

#include <string>

#include "postern/model/measurement.hpp"

namespace postern::model {

/// What a block measures, in the words of every table and message: "sum of squares of log income". Names are
/// as the study has them; quote them before they are shown. @pre the statistic's columns and level are there
[[nodiscard]] std::string statistic_text(const Statistic& statistic, const Schema& schema);

/// What the integers of a block count: "records", or for sums "steps of 0.01". Empty where a candidate is
/// chosen.
[[nodiscard]] std::string statistic_unit(const Statistic& statistic, const Schema& schema);

}  // namespace postern::model
