#pragma once

#include <optional>

#include "postern/core/warning.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// tables-disagree: two tables of one record set that differ in what they count alike by more than their
/// noise explains, in one cell or in all cells together. Margins of the same records are equal, so that their
/// difference is noise alone, whatever the records are. Comes up by chance in at most `chance` of all record
/// sets, however many tables there are: Chernoff's bound, shared out over all comparisons.
[[nodiscard]] std::optional<Warning> disagreeing_tables(const release::RecordSet& releases, double chance);

}  // namespace postern::infer
