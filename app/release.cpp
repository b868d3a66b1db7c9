#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/core/sha256.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/foresight.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/silent.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/issue.hpp"
#include "postern/owner/publish.hpp"
#include "postern/owner/signing_key.hpp"
#include "postern/owner/source.hpp"
#include "postern/release/chosen.hpp"

#include "budget.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "process.hpp"
#include "select_option.hpp"
#include "session.hpp"

namespace postern::app {
namespace {

struct ReleaseOptions {
  std::string study;
  std::string data;
  std::optional<std::string> select;
  BudgetOptions budget;
  std::string ledger;
  std::string output;
  std::optional<std::string> format;
  std::optional<std::string> delimiter;
  std::optional<std::string> sign;
  std::optional<std::int64_t> pad_to;
  std::int64_t threads = 0;
  bool counts = false;
  bool without_posterior = false;
  bool force = false;
};

ReleaseOptions parse_release(Arguments arguments) {
  ReleaseOptions options;
  Command command("release",
                  "charge the ledger, then publish noisy statistics of the records. Nothing that is printed "
                  "depends on a single record.");
  command.argument("STUDY", options.study, "study.toml")
      .argument(
          "DATA", options.data,
          "a CSV file with a header line, plain or packed (.gz, .zst), or - for standard input; a Parquet "
          "or Arrow file, or a folder of them");
  options.budget.declare(command);
  command.option("--ledger", options.ledger, "LEDGER", "the dataset's ledger, made by `postern ledger init`")
      .required()
      .option("-o,--output", options.output, "FILE", "where the release goes, such as survey.release.json")
      .required()
      .option("--select", options.select, "HOW", kSelectHelp)
      .flag("--counts", options.counts,
            "DATA is a table of counts: the model's columns and a last column `count`; in long form, also "
            "`block`, which names the columns that a row is counted by")
      .option("--format", options.format, "NAME",
              "format of DATA: csv, parquet or arrow (default: by suffix)")
      .option("--delimiter", options.delimiter, "CHAR",
              "what separates the fields of a CSV file: , ; | or tab (default: ,)")
      .option("--sign", options.sign, "KEY.pem",
              "sign with this ed25519 key (openssl genpkey -algorithm ed25519)")
      .whole("--pad-to", options.pad_to, 1,
             "publish only N seconds after the start (doubled when overrun), to hide how long it took")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .flag("--without-posterior", options.without_posterior,
            "release also where no engine of `postern infer` would take it: only the noisy values are wanted")
      .flag("--force", options.force, "replace an existing output")
      .note(
          "The charge is committed before a record is read, and never given back: a run that fails after it "
          "has spent "
          "its privacy. Everything that can be checked is checked before.")
      .examples(
          "postern release study.toml survey.csv --epsilon 1 --ledger survey.ledger -o survey.release.json\n"
          "postern release columns.toml survey.csv --rho 0.1 --select tree --ledger survey.ledger -o "
          "out.json\n"
          "postern release study.toml survey.parquet --epsilon 1 --ledger survey.ledger -o out.json\n"
          "postern release study.toml survey.csv.gz --delimiter ';' --epsilon 1 \\\n"
          "  --ledger survey.ledger -o out.json\n"
          "duckdb -csv -c \"select smoker, count(*) as count from t group by 1\" |\n"
          "  postern release study.toml - --counts --epsilon 1 --ledger survey.ledger -o "
          "survey.release.json");
  command.parse(arguments);
  return options;
}

void refuse_swapped(const ReleaseOptions& options) {
  if (!options.data.ends_with(".toml")) return;
  throw Error(
      ErrorCode::input_unreadable,
      {"'", from_option(options.data),
       "' is a study by its name, where the records belong; the study comes first: postern release STUDY "
       "DATA"});
}

owner::Measure open_records(const ReleaseOptions& options, const model::Study& study) {
  const owner::RecordsFormat format = owner::records_format(options.data, options.format, options.delimiter);
  if (options.counts) {
    if (!format.csv) throw Error(ErrorCode::bad_option, {"a table of counts (--counts) is a CSV file"});
    return owner::open_counts(options.data, study, format.delimiter);
  }
  return owner::open_records(options.data, format, study, static_cast<int>(options.threads));
}

/// The signing key, proven to sign before anything is charged.
std::optional<std::string> load_key(const ReleaseOptions& options, const model::Study& study) {
  if (!options.sign) return std::nullopt;
  return owner::read_signing_key(*options.sign, study);
}

/// What an analyst would be told of any release of this plan. Decided from public facts, before the charge.
using Foresight =
    std::function<std::optional<std::string>(const model::Study& study, const model::NoisePlan& plan)>;

/// Nobody should pay for a release that no analyst can use without knowing it.
void refuse_unusable(const ReleaseOptions& options, const model::Study& study, const model::NoisePlan& plan,
                     const Foresight& foresight) {
  if (options.without_posterior) return;
  const std::optional<std::string> why = foresight(study, plan);
  if (!why) return;
  throw Error(
      ErrorCode::engine_limit,
      {"`postern infer` would refuse this release: ", quote(*why, 2000),
       ". Nothing was charged; change the study, or, if the noisy values are all that is wanted, release "
       "it with --without-posterior"});
}

/// Waits for the announced moment, so that the time of publication does not tell how long the work took.
void pad(const ReleaseOptions& options, std::chrono::steady_clock::time_point start, const Session& session) {
  if (!options.pad_to) return;
  std::chrono::seconds wait(*options.pad_to);
  const auto taken = std::chrono::steady_clock::now() - start;
  if (taken > wait)
    warn("the work took longer than --pad-to; the time of publication is doubled until it fits");
  while (taken > wait) wait *= 2;
  while (std::chrono::steady_clock::now() < start + wait && !session.stop.stop_requested()) {
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(
        std::chrono::milliseconds(50), start + wait - std::chrono::steady_clock::now()));
  }
}

/// Planted bugs 19 and 20 (tests only): say what a record holds, and how many there are although that is
/// private.
void leak_if_mutant(const ReleaseOptions& options, const owner::Measured& measured) {
  if (mutant(19)) {
    std::ifstream in(options.data);
    std::string line;
    while (std::getline(in, line)) {
      if (line.find("canary") != std::string::npos)
        std::cerr << "postern: warning: unusable record: " << line << '\n';
    }
  }
  if (mutant(20)) std::cerr << "read " << measured.n << " records\n";
}

void print_result(const ReleaseOptions& options, const release::Release& release,
                  const owner::Balance& balance, const Session& session) {
  if (session.json) {
    Json chosen = Json::object();
    for (const release::ChosenValue& one : release::chosen_values(release))
      chosen.set(one.statistic, one.value);
    std::cout << Json::object()
                     .set("release", options.output)
                     .set("release_id", release.release_id)
                     .set("cost", spend_json(release.cost))
                     .set("left", spend_json(balance.left))
                     .set("n", count_json(release.n))
                     .set("key_id", release.signature ? Json(release.signature->key_id) : Json())
                     .set("chosen", std::move(chosen))
                     .set("silently", model::silent_rules(release.study))
                     .text();
    return;
  }
  Facts facts{{"release", printable(options.output) + " (" + release.release_id + ")"},
              {"cost", spend_text(release.cost) + "; left " + balance.left.text() + " of " +
                           balance.terms.budget.text()},
              {"n", count_text(release.n)}};
  if (release.signature) facts.emplace_back("signed", "by key " + release.signature->key_id);
  for (auto& fact : chosen_facts(release)) facts.push_back(std::move(fact));
  std::cout << fact_lines(facts) << wrap(printable(model::silent_rules(release.study)), 96, 0) << '\n';
}

}  // namespace

int run_release(Arguments arguments, const Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const ReleaseOptions options = parse_release(arguments);
  // All that can go wrong for a public reason goes wrong here, before the charge.
  refuse_swapped(options);
  const model::Study study = model::load_study(options.study, {.select = selection_of(options.select)});
  const model::NoisePlan plan = make_plan(options.budget, study);
  refuse_overwriting(options.output, {options.study, options.data, options.ledger, options.ledger + ".key",
                                      options.sign.value_or("")});
  owner::check_publishable(options.output, options.force);
  const std::optional<std::string> key = load_key(options, study);
  owner::Ledger ledger = owner::Ledger::open(options.ledger);
  ledger.check_terms(study);
  refuse_unusable(options, study, plan, [](const model::Study& of, const model::NoisePlan& planned) {
    return infer::foreseen_refusal(of, planned, std::nullopt);
  });
  const owner::Measure measure = open_records(options, study);
  const Conversation conversation{session.stop, {}};
  conversation.check();

  try {
    const owner::Issued issued =
        owner::issue({study, plan, options.counts, infer::round_fit(study, conversation)}, key, ledger,
                     [&](const model::Measurement& measurement) {
                       owner::Measured measured = measure(measurement);
                       leak_if_mutant(options, measured);
                       return measured;
                     });
    pad(options, start, session);
    conversation.check();
    owner::publish_document(options.output, issued.document, options.force, public_file_mode());
    ledger.record_published(issued.release.release_id, to_hex(sha256(issued.document)));
    print_result(options, issued.release, ledger.balance(), session);
    warn_if_output_was_lost("the ledger was charged, and the charge stands; the release is whole, in '" +
                            printable(options.output) + "'");
  } catch (...) {  // also what is not ours: no memory, no threads
    if (ledger.charges_made() > 0)
      warn("the ledger was charged before this failed, and the charge stands; see `postern ledger balance`");
    throw;
  }
  return 0;
}

}  // namespace postern::app
