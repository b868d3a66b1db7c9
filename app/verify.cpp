#include "postern/release/verify.hpp"

#include <algorithm>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/owner/ledger.hpp"

#include "command.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "ledger_facts.hpp"
#include "session.hpp"
#include "table.hpp"

namespace postern::app {
namespace {

release::Check check_ledger(const std::string& path, const ReleaseFile& file) {
  const owner::Ledger ledger = owner::Ledger::open(path);
  if (owner::holds(ledger, published_fact(file))) {
    return {"ledger", true,
            "row " + std::to_string(file.release.ledger.seq) + " of the ledger paid for this release"};
  }
  return {"ledger", false, why_not_held(ledger, file)};
}

/// What to make of failed checks: a document without the wanted signature may well hold what it claims.
Error failure_of(const std::string& path, const std::vector<release::Check>& checks) {
  const bool only_key = std::all_of(checks.begin(), checks.end(), [](const release::Check& check) {
    return check.passed || check.name == "key";
  });
  if (!only_key)
    return {ErrorCode::release_inconsistent,
            {"'", from_option(path), "' does not hold what it claims; do not use it"}};
  return {
      ErrorCode::release_inconsistent,
      {"'", from_option(path),
       "' is not signed with the key that --key names, so it may be someone else's; what it claims agrees "
       "with itself. Ask the owner which key signed it"}};
}

void print_text(const ReleaseFile& file, const std::vector<release::Check>& checks) {
  const release::Release& release = file.release;
  std::cout << fact_lines({{"release", release.release_id + ", " + printable(release.created) + ", by " +
                                           printable(release.software)},
                           {"study", printable(release.study.name) + " (dataset " +
                                         printable(release.study.dataset) + ")"},
                           {"model", model_text(release.study.model, release.study.schema)},
                           {"privacy", policy_text(release.study)},
                           {"cost", spend_text(release.cost)},
                           {"n", count_text(release.n)},
                           {"signed", release.signature ? "by key " + release.signature->key_id : "no"}})
            << '\n';
  TextTable table;
  table.column("check", Align::left).column("result", Align::left).column("detail", Align::prose);
  for (const release::Check& check : checks) {
    table.row({check.name, check.passed ? "ok" : "FAILED", printable(check.detail)});
  }
  std::cout << table.text();
}

Json to_json(const ReleaseFile& file, const std::vector<release::Check>& checks) {
  const release::Release& release = file.release;
  Json rows = Json::array();
  for (const release::Check& check : checks) {
    rows.push(Json::object().set("name", check.name).set("passed", check.passed).set("detail", check.detail));
  }
  Json out = Json::object();
  out.set("release_id", release.release_id)
      .set("study", release.study.name)
      .set("dataset", release.study.dataset);
  out.set("privacy", policy_json(release.study.privacy))
      .set("cost", spend_json(release.cost))
      .set("n", count_json(release.n));
  out.set("key_id", release.signature ? Json(release.signature->key_id) : Json());
  return out.set("checks", std::move(rows)).set("passed", release::all_passed(checks));
}

}  // namespace

int run_verify(Arguments arguments, const Session& session) {
  std::string path;
  std::optional<std::string> ledger;
  std::optional<std::string> key;
  Command command(
      "verify",
      "recompute sensitivity and cost from the study inside a release, and compare with what it claims.");
  command.argument("RELEASE", path, "a release document, or - for standard input")
      .option("--ledger", ledger, "LEDGER", "also check that this ledger was charged for it (the owner can)")
      .option("--key", key, "OWNER.pub", "also check that this public key signed it (PEM, from the owner)")
      .note(
          "A signature proves only that the holder of the key signed. Get the owner's public key by another "
          "way "
          "than the release, and give it with --key.")
      .examples(
          "postern verify survey.release.json\n"
          "postern verify survey.release.json --key owner.pub\n"
          "postern verify survey.release.json --ledger survey.ledger");
  command.parse(arguments);
  const ReleaseFile file = read_release(path);
  std::vector<release::Check> checks = release::verify(file.release);
  if (key) checks.push_back(release::verify_key(file.release, read_file(*key, 1 << 16)));
  if (ledger) checks.push_back(check_ledger(*ledger, file));
  const Error failure = failure_of(path, checks);
  const bool passed = release::all_passed(checks);
  if (session.json) {
    Json out = to_json(file, checks);
    if (!passed) out.set("error", error_json(failure));
    std::cout << out.text();
    return passed ? 0 : exit_status(failure.code());
  }
  print_text(file, checks);
  return passed ? 0 : report_error(failure, session);
}

}  // namespace postern::app
