#include "plan/mechanism_table.hpp"

#include <utility>

#include "table.hpp"
#include "text.hpp"

namespace postern::app {

std::string comparison_text(const assess::MechanismComparison& comparison, const std::string& setting) {
  TextTable table;
  table.column("mechanism", Align::left).column("loss", Align::right).column("error", Align::right);
  table.column("of 19 in 20 releases", Align::prose);
  for (const assess::MechanismOutlook& row : comparison.rows) {
    const std::string name(to_text(row.mechanism));
    if (row.refused.empty()) {
      table.row({name, number(row.loss), number(row.loss_error), row.bound.empty() ? "-" : row.bound});
    } else {
      table.row({name, "-", "-", printable(row.refused)});
    }
  }
  const std::string recommended(to_text(comparison.recommended));
  const std::string head = "mechanisms compared, " + setting + ", " + std::to_string(comparison.studies) +
                           " simulated studies; loss: nats a record beyond the " +
                           number(comparison.without_noise) +
                           " that exact counts lose, with counts and choices taken as they are (a posterior "
                           "that accounts for noise loses less)";
  return wrap(head, 96, 0) + '\n' + table.text() +
         wrap("recommended: " + recommended + "; " + comparison.reason, 96, 0) + '\n';
}

Json comparison_json(const assess::MechanismComparison& comparison) {
  Json rows = Json::array();
  for (const assess::MechanismOutlook& row : comparison.rows) {
    Json one = Json::object();
    one.set("mechanism", to_text(row.mechanism));
    if (row.refused.empty()) {
      one.set("cost", row.cost.text()).set("loss", row.loss).set("loss_error", row.loss_error);
      one.set("bound", row.bound).set("limit", row.limit);
    } else {
      one.set("refused", row.refused);
    }
    rows.push(std::move(one));
  }
  return Json::object()
      .set("rows", std::move(rows))
      .set("without_noise", comparison.without_noise)
      .set("studies", comparison.studies)
      .set("recommended", to_text(comparison.recommended))
      .set("reason", comparison.reason);
}

}  // namespace postern::app
