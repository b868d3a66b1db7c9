#include "infer/summary.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostRows = 30;

}  // namespace

std::vector<infer::SummaryRow> shown_rows(std::vector<infer::SummaryRow> rows, std::size_t answers) {
  const std::size_t most = std::max(kMostRows, answers + 1);
  if (rows.size() <= most) return rows;
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(most - answers);
  rows.erase(first, first + static_cast<std::ptrdiff_t>(rows.size() - most));
  return rows;
}

TextTable summary_table(const std::vector<infer::SummaryRow>& rows, bool with_diagnostics) {
  TextTable table;
  table.column("quantity", Align::left);
  for (const char* title : {"mean", "sd", "5%", "50%", "95%"}) table.column(title, Align::right);
  if (with_diagnostics) table.column("ess", Align::right).column("rhat", Align::right);
  for (const infer::SummaryRow& row : rows) {
    std::vector<std::string> cells{printable(row.label)};
    for (const double value : {row.mean, row.sd, row.q05, row.q50, row.q95})
      cells.push_back(std::isnan(value) ? "-" : number(value));
    if (with_diagnostics) {
      cells.push_back(row.ess ? number(*row.ess) : "");
      cells.push_back(row.rhat ? number(*row.rhat) : "");
    }
    table.row(std::move(cells));
  }
  return table;
}

TextTable sensitivity_table(const infer::Posterior& posterior, std::size_t answers) {
  std::vector<std::vector<infer::SummaryRow>> priors;
  for (const infer::Alternative& one : posterior.sensitivity)
    priors.push_back(shown_rows(one.summary, answers));
  priors.insert(priors.begin() + 1, shown_rows(posterior.summary, answers));
  TextTable table;
  table.column("quantity", Align::left);
  for (const char* title : {"half: mean", "sd", "prior: mean", "sd", "twice: mean", "sd"})
    table.column(title, Align::right);
  for (std::size_t i = 0; i < priors.front().size(); ++i) {
    std::vector<std::string> cells{printable(priors.front()[i].label)};
    for (const auto& rows : priors) {
      for (const double value : {rows[i].mean, rows[i].sd})
        cells.push_back(std::isnan(value) ? "-" : number(value));
    }
    table.row(std::move(cells));
  }
  return table;
}

Json rows_json(const std::vector<infer::SummaryRow>& summary) {
  Json rows = Json::array();
  for (const infer::SummaryRow& row : summary) {
    rows.push(Json::object()
                  .set("name", row.name)
                  .set("label", row.label)
                  .set("mean", row.mean)
                  .set("sd", row.sd)
                  .set("q05", row.q05)
                  .set("q50", row.q50)
                  .set("q95", row.q95)
                  .set("ess", row.ess)
                  .set("rhat", row.rhat));
  }
  return rows;
}

Json sensitivity_json(const std::vector<infer::Alternative>& alternatives) {
  Json out = Json::array();
  for (const infer::Alternative& one : alternatives)
    out.push(Json::object().set("prior_times", one.prior_times).set("summary", rows_json(one.summary)));
  return out;
}

}  // namespace postern::app
