#include <algorithm>
#include <filesystem>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

#include "audit/claim.hpp"
#include "audit/runs.hpp"
#include "budget.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "json_out.hpp"
#include "progress.hpp"
#include "select_option.hpp"
#include "session.hpp"
#include "table.hpp"

namespace postern::app {
namespace {

constexpr std::int64_t kMostRuns = 10'000'000;  // what memory and patience allow

void refuse_data_file(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  for (const char* data : {".csv", ".tsv", ".parquet", ".arrow", ".feather", ".json"}) {
    if (suffix == data) {
      throw Error(ErrorCode::usage,
                  {"postern audit takes a study, never a data file: it makes up its records from the schema, "
                   "because thousands of uncharged releases of '",
                   from_option(path), "' would give them away"});
    }
  }
}

bool all_passed(const std::vector<AuditRow>& rows) {
  for (const AuditRow& row : rows) {
    if (!row.passed()) return false;
  }
  return true;
}

/// Where the test may find more than the claim, and so a column of its own.
bool has_allowance(const std::vector<AuditRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const AuditRow& row) { return number(row.limit) != number(row.claim); });
}

/// What a reader must know not to take this audit for less, or more, than it is.
std::vector<std::string> notes_on(const model::Study& study, const model::NoisePlan& plan,
                                  const std::vector<AuditRow>& rows) {
  std::vector<std::string> notes;
  if (has_allowance(rows)) {
    notes.emplace_back(
        "the limit is what this test may find of the claim, and what the bound is held against. Thresholds "
        "are "
        "judged as if the noise were continuous Gaussian; noise on whole numbers falls in steps, at which a "
        "test sees a little more. Its rho, which is about averages over all outcomes, is the claim.");
  }
  if (plan.rounds) {
    notes.emplace_back(
        "a release in rounds is seen twice. The rows of laws are computed: what the noise and the choices "
        "that "
        "the rounds state show of these neighbours, in the worst of all runs. The rows above them are "
        "estimated from what was published, and so few runs see little; more are had by --runs.");
  }
  if (!study.model.kind().has_posterior()) {
    notes.emplace_back(
        "an audit of quantiles has little power: made-up records seldom come near the claim, and even half "
        "the noise would hardly be seen. Rely on the proof and on our own tests "
        "(docs/mechanisms/quantiles.md).");
    if (plan.cost.currency() == Currency::zcdp && !rows.empty()) {
      notes.push_back("a choice is audited in epsilon: " + spend_text(plan.cost) + " is epsilon " +
                      number(rows.front().claim) + " here.");
    }
  }
  return notes;
}

TextTable pair_table(const std::vector<AuditRow>& rows) {
  const bool limits = has_allowance(rows);
  TextTable table;
  table.column("neighbours", Align::left).column("claim", Align::right);
  if (limits) table.column("limit", Align::right);
  table.column("bound", Align::right).column("verdict", Align::left);
  for (const AuditRow& row : rows) {
    std::vector<std::string> cells{row.what, number(row.claim)};
    if (limits) cells.push_back(number(row.limit));
    cells.push_back(number(row.found.lower));
    cells.emplace_back(row.passed() ? "not contradicted" : "CONTRADICTED");
    table.row(std::move(cells));
  }
  return table;
}

void print_text(const model::Study& study, const model::NoisePlan& plan, std::size_t runs,
                const std::vector<AuditRow>& rows) {
  const std::string loss(unit_name(rows.empty() ? plan.cost.currency() : rows.front().currency));
  std::cout
      << fact_lines(
             {{"study", printable(study.name)},
              {"privacy", policy_text(study)},
              {"claim", spend_text(plan.cost)},
              {"runs", grouped(static_cast<long long>(runs)) +
                           " of the whole gate on each of two neighbours, made-up records"},
              {"records",
               "crowds at the ends and the middle of the declared columns; no prior and no planning law"},
              {"bound", "lower confidence bound on " + loss + ", wrong with probability 1e-6"}})
      << '\n'
      << pair_table(rows).text() << '\n';
  for (const std::string& note : notes_on(study, plan, rows))
    std::cout << "note: " << wrap(note, 96, 6) << '\n';
  if (all_passed(rows)) std::cout << "No audit proves privacy; this one did not disprove it.\n";
}

Json to_json(const model::Study& study, const model::NoisePlan& plan, std::size_t runs,
             const std::vector<AuditRow>& rows) {
  Json list = Json::array();
  for (const AuditRow& row : rows) {
    list.push(Json::object()
                  .set("neighbours", row.what)
                  .set("loss", unit_name(row.currency))
                  .set("claim", row.claim)
                  .set("limit", row.limit)
                  .set("bound", row.found.lower)
                  .set("computed", row.computed)
                  .set("passed", row.passed()));
  }
  return Json::object()
      .set("study", study.name)
      .set("cost", spend_json(plan.cost))
      .set("records", "made up; no prior and no planning law")
      .set("runs", runs)
      .set("alpha", kAuditAlpha)
      .set("pairs", std::move(list))
      .set("passed", all_passed(rows))
      .set("notes", Json::list(notes_on(study, plan, rows)));
}

}  // namespace

int run_audit(Arguments arguments, const Session& session) {
  std::string path;
  BudgetOptions budget;
  std::optional<std::int64_t> wanted;
  std::optional<std::string> select;
  Command command("audit",
                  "run the whole gate many times on neighbouring made-up records and try to show that it "
                  "loses more privacy than it says.");
  command.argument("STUDY", path, "study.toml; never a data file");
  budget.declare(command);
  command.option("--select", select, "HOW", kSelectHelp)
      .whole("--runs", wanted, 100, "runs on each neighbour (default: enough to see halved noise)")
      .examples("postern audit study.toml --epsilon 1\npostern audit study.toml --rho 0.5 --runs 20000");
  command.parse(arguments);
  refuse_data_file(path);
  const model::Study study = model::load_study(path, {.select = selection_of(select)});
  const model::NoisePlan plan = make_plan(budget, study);
  const std::size_t enough = recommended_runs(plan.cost);
  const std::size_t runs =
      wanted ? static_cast<std::size_t>(std::min<std::int64_t>(*wanted, kMostRuns)) : usual_runs(study, plan);
  if (runs < enough && study.model.kind().has_posterior() && !plan.rounds) {
    warn(std::to_string(runs) + " runs may miss even halved noise at this budget; " + std::to_string(enough) +
         " would see it");
  }
  std::vector<AuditRow> rows;
  {
    Progress progress(session);
    rows = audit_runs(study, plan, runs, progress.conversation());
  }
  const Error failure(ErrorCode::internal,
                      {"the gate lost more privacy than it claimed: do not release with this build"});
  if (session.json) {
    Json out = to_json(study, plan, runs, rows);
    if (!all_passed(rows)) out.set("error", error_json(failure));
    std::cout << out.text();
    return all_passed(rows) ? 0 : exit_status(failure.code());
  }
  print_text(study, plan, runs, rows);
  return all_passed(rows) ? 0 : report_error(failure, session);
}

}  // namespace postern::app
