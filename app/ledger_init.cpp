#include "ledger_init.hpp"

#include <iostream>

#include "postern/model/budget.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/found_ledger.hpp"

#include "command.hpp"
#include "describe.hpp"
#include "errors.hpp"

namespace postern::app {

Json balance_json(const owner::Balance& balance) {
  return Json::object()
      .set("dataset", balance.terms.dataset)
      .set("privacy", policy_json(balance.terms.privacy))
      .set("budget", spend_json(balance.terms.budget))
      .set("spent", spend_json(balance.spent))
      .set("left", spend_json(balance.left))
      .set("charges", balance.charges)
      .set("published", balance.published)
      .set("record_set", balance.record_set);
}

std::string balance_text(const owner::Balance& balance) {
  return fact_lines({{"dataset", printable(balance.terms.dataset)},
                     {"privacy", policy_text(balance.terms.privacy)},
                     {"budget", spend_text(balance.terms.budget)},
                     {"spent", balance.spent.text()},
                     {"left", balance.left.text()},
                     {"charges", std::to_string(balance.charges) + ", of which " +
                                     std::to_string(balance.published) + " published"},
                     {"records", "record set " + balance.record_set}});
}

void print_balance(const owner::Balance& balance, const Session& session) {
  std::cout << (session.json ? balance_json(balance).text() : balance_text(balance));
}

namespace {

/// The three terms of privacy that a ledger fixes, as its owner may still choose them otherwise.
std::string terms_text(const model::PrivacyPolicy& privacy) {
  const bool hides_n = privacy.adjacency == model::Adjacency::add_remove;
  std::string unit = "\"record\"";
  if (const auto* person = std::get_if<model::PersonUnit>(&privacy.unit))
    unit = "at most " + std::to_string(person->at_most) + " records of each " + printable(person->column);
  return "Fixed for good: adjacency \"" + std::string(to_text(privacy.adjacency)) + "\", unit " + unit +
         ", currency \"" + std::string(to_text(privacy.currency)) + "\" (" +
         std::string(unit_name(privacy.currency)) + "). Every study of this dataset needs the same three.\n" +
         (hides_n
              ? "add-remove is the choice we advise: it also hides how many records there are."
              : "We advise adjacency \"add-remove\", which also hides how many records there are and takes "
                "a person as its unit. Nothing is spent yet: to change your mind, remove this ledger and "
                "its key, change the study, and run this again.");
}

}  // namespace

int ledger_init(Arguments arguments, const Session& session) {
  std::string study_path;
  std::string budget;
  std::string output;
  bool another = false;
  Command command("ledger init", "make the ledger of a dataset: a budget, and terms that never change.");
  command
      .argument("STUDY", study_path,
                "a study of the dataset; its adjacency, unit and currency become the ledger's")
      .option("--budget", budget, "B", "all the privacy these records may ever lose, in the study's currency")
      .required()
      .option("-o,--output", output, "FILE", "the ledger; its secret key goes beside it")
      .required()
      .flag("--another-ledger", another,
            "make it although you have a ledger of this dataset; both budgets can then be spent on the same "
            "records")
      .note(
          "Keep the ledger and its key on the owner's machine, and back them up together (postern ledger "
          "backup): a lost ledger is a lost budget, and an older copy would spend twice. The names of your "
          "datasets and the paths of their ledgers are kept in $XDG_STATE_HOME/postern/ledgers "
          "(~/.local/state/postern/ledgers), so that a second ledger is noticed.")
      .examples("postern ledger init study.toml --budget 10 -o survey.ledger");
  command.parse(arguments);
  const model::Study study = model::load_study(study_path, {.may_lack = true});
  const owner::DatasetTerms terms{study.dataset, study.privacy,
                                  model::parse_amount(study.privacy.currency, "budget", budget)};
  const owner::FoundLedger found = owner::found_ledger(output, terms, another);
  print_balance(found.ledger.balance(), session);
  log_line(session, terms_text(terms.privacy));
  if (found.note) log_line(session, "Note: " + *found.note);
  log_line(session, "Wrote " + printable(output) + " and " + printable(output) +
                        ".key: keep them together, private, and backed up");
  return 0;
}

}  // namespace postern::app
