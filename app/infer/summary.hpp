#pragma once

#include <cstddef>
#include <vector>

#include "postern/infer/posterior.hpp"

#include "json_out.hpp"
#include "table.hpp"

namespace postern::app {

/// The rows that people are shown: answers to queries come last in a posterior and are what was asked for, so
/// they are always among them.
std::vector<infer::SummaryRow> shown_rows(std::vector<infer::SummaryRow> rows, std::size_t answers);

TextTable summary_table(const std::vector<infer::SummaryRow>& rows, bool with_diagnostics);
/// Means and deviations under half the prior, the prior, and twice the prior.
TextTable sensitivity_table(const infer::Posterior& posterior, std::size_t answers);

Json rows_json(const std::vector<infer::SummaryRow>& summary);
Json sensitivity_json(const std::vector<infer::Alternative>& alternatives);

}  // namespace postern::app
