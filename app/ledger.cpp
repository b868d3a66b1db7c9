#include "postern/owner/ledger.hpp"

#include <array>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/schema.hpp"

#include "command.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "ledger_facts.hpp"
#include "ledger_init.hpp"
#include "session.hpp"
#include "table.hpp"

namespace postern::app {
namespace {

int ledger_balance(Arguments arguments, const Session& session) {
  std::string path;
  bool rows = false;
  Command command("ledger balance", "what was spent and what is left.");
  command.argument("LEDGER", path, "the ledger file")
      .flag("--charges", rows, "also list every charge")
      .examples("postern ledger balance survey.ledger");
  command.parse(arguments);
  const owner::Ledger ledger = owner::Ledger::open(path);
  if (session.json) {
    Json out = balance_json(ledger.balance());
    Json charges = Json::array();
    for (const owner::ChargeRow& row : ledger.charges()) {
      charges.push(Json::object()
                       .set("seq", row.seq)
                       .set("release_id", row.release_id)
                       .set("cost", spend_json(row.cost))
                       .set("mechanism", row.mechanism)
                       .set("at", row.at)
                       .set("published", row.published));
    }
    std::cout << (rows ? out.set("rows", std::move(charges)) : out).text();
    return 0;
  }
  std::cout << balance_text(ledger.balance());
  if (!rows) return 0;
  TextTable table;
  table.column("seq", Align::right).column("at (UTC)", Align::left).column("cost", Align::right);
  table.column("mechanism", Align::left).column("release", Align::left).column("published", Align::left);
  for (const owner::ChargeRow& row : ledger.charges()) {
    table.row({std::to_string(row.seq), row.at, row.cost.text(), row.mechanism, row.release_id,
               row.published ? "yes" : "no"});
  }
  if (!table.empty()) std::cout << '\n' << table.text();
  return 0;
}

Json names_json(const std::vector<std::string>& names) {
  Json out = Json::array();
  for (const std::string& name : names) out.push(Json(name));
  return out;
}

Json others_json(const FoundReleases& found) {
  Json out = Json::array();
  for (const ReleaseFile& file : found.of_others)
    out.push(Json::object().set("path", file.path).set("dataset", file.release.study.dataset));
  return out;
}

/// What was found beside the releases of the ledger's dataset.
void print_set_aside(const FoundReleases& found) {
  if (!found.of_others.empty())
    std::cout << "of other datasets, not checked against this ledger: " << found.of_others.size() << '\n';
  for (const ReleaseFile& file : found.of_others)
    std::cout << "  " << printable(file.path) << " (dataset " << printable(file.release.study.dataset)
              << ")\n";
  for (const std::string& name : found.skipped)
    std::cout << "skipped, not a release: " << printable(name) << '\n';
}

int ledger_verify(Arguments arguments, const Session& session) {
  std::string path;
  std::vector<std::string> releases;
  Command command("ledger verify",
                  "check every link of the ledger's chain, and that it holds the given releases' charges.");
  command.argument("LEDGER", path, "the ledger file")
      .list("--releases", releases, "PATH",
            "release documents, or folders of them; they show up a ledger rolled back to an old copy")
      .examples("postern ledger verify survey.ledger --releases published/");
  command.parse(arguments);
  const owner::Ledger ledger = owner::Ledger::open(path);
  const std::uint64_t links = ledger.verify_chain();
  const FoundReleases found = find_releases(releases, ledger.terms().dataset);
  for (const ReleaseFile& file : found.files) {
    if (!owner::holds(ledger, published_fact(file))) {
      throw Error(ErrorCode::ledger_tampered,
                  {"the ledger does not hold the charge of '", from_option(file.path),
                   "': ", quote(why_not_held(ledger, file), 400)});
    }
  }
  if (session.json) {
    std::cout << Json::object()
                     .set("links", links)
                     .set("releases", found.files.size())
                     .set("of_other_datasets", others_json(found))
                     .set("skipped", names_json(found.skipped))
                     .set("intact", true)
                     .text();
  } else {
    std::cout << "intact: " << links << " links";
    if (!found.files.empty()) {
      std::cout << ", and the charge of every release "
                << (found.of_others.empty() ? "given" : "of dataset " + printable(ledger.terms().dataset));
    }
    std::cout << '\n';
    print_set_aside(found);
  }
  return 0;
}

int ledger_reconcile(Arguments arguments, const Session& session) {
  std::string path;
  std::vector<std::string> releases;
  Command command("ledger reconcile", "note as published the documents that a crash kept from being noted.");
  command.argument("LEDGER", path, "the ledger file")
      .list("--releases", releases, "PATH", "release documents, or folders of them")
      .required()
      .examples("postern ledger reconcile survey.ledger --releases published/");
  command.parse(arguments);
  owner::Ledger ledger = owner::Ledger::open(path);
  std::vector<owner::PublishedFact> facts;
  const FoundReleases found = find_releases(releases, ledger.terms().dataset);
  for (const ReleaseFile& file : found.files) facts.push_back(published_fact(file));
  const std::uint64_t added = owner::reconcile(ledger, facts);
  if (session.json) {
    std::cout << Json::object()
                     .set("added", added)
                     .set("of_other_datasets", others_json(found))
                     .set("skipped", names_json(found.skipped))
                     .set("balance", balance_json(ledger.balance()))
                     .text();
  } else {
    std::cout << "noted as published: " << added << '\n';
    print_set_aside(found);
  }
  return 0;
}

int ledger_backup(Arguments arguments, const Session& session) {
  std::string path;
  std::string output;
  Command command("ledger backup",
                  "copy the ledger and its key, as of one moment: nobody can spend while they are copied.");
  command.argument("LEDGER", path, "the ledger file")
      .option("-o,--output", output, "COPY", "the copy, a new file; its key goes beside it")
      .required()
      .note(
          "Spend from one copy only. Should the ledger be lost, move the newest copy and its key to where it "
          "was, and check it against what was published since: postern ledger verify --releases.")
      .examples("postern ledger backup survey.ledger -o /backups/survey-monday.ledger");
  command.parse(arguments);
  const owner::Ledger ledger = owner::Ledger::open(path);
  const std::uint64_t links = ledger.backup(output);
  if (session.json) {
    std::cout << Json::object()
                     .set("copy", output)
                     .set("links", links)
                     .set("balance", balance_json(ledger.balance()))
                     .text();
  } else {
    std::cout << "copied: " << links << " links, to " << printable(output) << " and " << printable(output)
              << ".key\n";
  }
  warn_if_output_was_lost("the copy is whole, in '" + printable(output) + "' and '" + printable(output) +
                          ".key'");
  return 0;
}

int ledger_export(Arguments arguments, const Session& session) {
  std::string path;
  std::optional<std::string> output;
  bool force = false;
  Command command("ledger export",
                  "every row of the ledger as JSON lines. It holds no key and nothing of the records.");
  command.argument("LEDGER", path, "the ledger file")
      .option("-o,--output", output, "FILE", "write here instead of standard output")
      .flag("--force", force, "replace an existing file")
      .examples("postern ledger export survey.ledger -o survey.ledger.jsonl");
  command.parse(arguments);
  const std::string lines = owner::Ledger::open(path).export_lines();
  if (!output) {
    std::cout << lines;
    return 0;
  }
  refuse_overwriting(*output, {path, path + ".key"});
  write_file(*output, lines, force);
  if (session.json) std::cout << Json::object().set("written", *output).text();
  log_line(session, "Wrote " + *output);
  return 0;
}

int ledger_new_records(Arguments arguments, const Session& session) {
  std::string path;
  Command command(
      "ledger new-records",
      "declare that the records changed: later releases carry a new record set, the budget stays.");
  command.argument("LEDGER", path, "the ledger file").examples("postern ledger new-records survey.ledger");
  command.parse(arguments);
  owner::Ledger ledger = owner::Ledger::open(path);
  owner::Entropy entropy;
  ledger.new_records(entropy);
  print_balance(ledger.balance(), session);
  return 0;
}

struct Action {
  std::string_view name;
  int (*run)(Arguments, const Session&);
  std::string_view help;
};

constexpr std::array<Action, 7> kActions{{
    {"init", ledger_init, "make the ledger of a dataset, with a budget"},
    {"balance", ledger_balance, "what was spent and what is left"},
    {"verify", ledger_verify, "check the chain, and that it holds the charges of published releases"},
    {"backup", ledger_backup, "copy the ledger and its key, while nobody can spend"},
    {"reconcile", ledger_reconcile, "note as published what a crash kept from being noted"},
    {"export", ledger_export, "every row as JSON lines"},
    {"new-records", ledger_new_records, "declare that the records changed"},
}};

std::string actions_overview() {
  std::string text =
      "postern ledger: the privacy-budget ledger. One dataset, one ledger, one budget.\n\nUsage: postern "
      "ledger ACTION "
      "...\n\n";
  for (const Action& entry : kActions) {
    text += "  " + std::string(entry.name) + std::string(14 - entry.name.size(), ' ') +
            std::string(entry.help) + '\n';
  }
  return text +
         "\nExamples:\n  postern ledger init study.toml --budget 10 -o survey.ledger\n  postern ledger "
         "balance survey.ledger\n";
}

}  // namespace

int run_ledger(Arguments arguments, const Session& session) {
  if (arguments.empty())
    throw Error(ErrorCode::usage, {"postern ledger: which action? see postern ledger --help"});
  if (arguments[0] == "--help" || arguments[0] == "-h") throw HelpWanted{actions_overview()};
  std::vector<std::string> names;
  for (const Action& entry : kActions) {
    if (entry.name == arguments[0]) return entry.run(arguments.subspan(1), session);
    names.emplace_back(entry.name);
  }
  const auto nearest = model::nearest_name(arguments[0], names);
  throw Error(ErrorCode::usage,
              {"postern ledger has no action '", from_option(arguments[0]), "'; ",
               from_option(nearest ? "did you mean " + *nearest + "?" : "see postern ledger --help")});
}

}  // namespace postern::app
