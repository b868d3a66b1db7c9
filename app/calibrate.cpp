#include "postern/assess/calibrate.hpp"

#include <algorithm>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/infer/engine_choice.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

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

struct CalibrateCommand {
  std::string study;
  std::optional<std::string> select;
  BudgetOptions budget;
  std::optional<std::int64_t> n;
  std::int64_t studies = 1000;
  std::int64_t draws = 99;
  std::string engine = "auto";
  std::int64_t seed = 1;
  std::int64_t threads = 0;
};

CalibrateCommand parse_calibrate(Arguments arguments) {
  CalibrateCommand options;
  Command command("calibrate",
                  "simulation-based calibration of this very study and engine: parameters are drawn from the "
                  "prior (where it is learned, from the planning law), records and noise from them, and the "
                  "posterior is asked where the truth lies. No "
                  "data is read and nothing is charged.");
  command.argument("STUDY", options.study, "study.toml");
  options.budget.declare(command);
  command.option("--select", options.select, "HOW", kSelectHelp)
      .whole("--n", options.n, 0,
             "number of records, where it is public; a private n is drawn from its prior")
      .whole("--studies", options.studies, 20, "simulated studies (default 1000)")
      .whole("--draws", options.draws, 1, "posterior draws a study (default 99)")
      .option("--engine", options.engine, "NAME", "the engine that is asked, as for infer (default auto)")
      .whole("--seed", options.seed, 0, "seed of the simulations (default 1)")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .examples(
          "postern calibrate study.toml --epsilon 1 --n 500\n"
          "postern calibrate study.toml --epsilon 1 --n 500 --engine naive");
  command.parse(arguments);
  return options;
}

/// Twenty bins as bars; even bars are a calibrated posterior's.
std::string bars(const assess::RankHistogram& histogram) {
  constexpr std::size_t kHeights = 8;
  constexpr const char* kBars[kHeights + 1] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t most = *std::max_element(histogram.bins.begin(), histogram.bins.end());
  std::string text;
  for (const std::size_t bin : histogram.bins) text += kBars[(bin * kHeights + most / 2) / most];
  return text;
}

std::string percent(double share) { return number(100 * share) + " %"; }

/// What the names of the table stand for.
Facts labels_of(const assess::Calibration& found) {
  Facts facts;
  for (const assess::QuantityCalibration& q : found.quantities)
    facts.emplace_back(q.name, printable(q.label));
  return facts;
}

void print_text(const model::Study& study, const model::NoisePlan& plan, const CalibrateCommand& options,
                const assess::Calibration& found) {
  const std::string studies = grouped(static_cast<long long>(found.studies));
  std::cout << fact_lines({{"study", printable(study.name)},
                           {"model", model_text(study.model, study.schema)},
                           {"privacy", policy_text(study)},
                           {"cost", spend_text(plan.cost)},
                           {"engine", options.engine},
                           {"studies", studies + " simulated, " + std::to_string(options.draws) +
                                           " draws each, seed " + std::to_string(options.seed)},
                           {"truths", "from " + found.truths},
                           {"limit",
                            found.ranks_are_even()
                                ? "KS " + number(found.ks_limit()) +
                                      ", chi2 p 1e-6: a calibrated posterior is past either once in a million"
                                : "90 % intervals that hold 85 % of the truths: ranks need not be even"}})
            << '\n';
  TextTable table;
  table.column("quantity", Align::left);
  for (const char* title : {"KS", "50 %", "90 %", "95 %", "chi2 p"}) table.column(title, Align::right);
  table.column("ranks", Align::left).column("verdict", Align::left);
  for (const assess::QuantityCalibration& q : found.quantities) {
    table.row({q.name, number(q.ks), percent(q.coverage_50), percent(q.coverage_90), percent(q.coverage_95),
               number(q.histogram.chi_square_tail), bars(q.histogram),
               q.calibrated() ? "calibrated" : "NOT CALIBRATED"});
  }
  std::cout << table.text() << '\n'
            << fact_lines(labels_of(found))
            << "\nThe columns 50 %, 90 % and 95 % say how often such an interval held the "
            << (found.ranks_are_even()
                    ? "truth; even\nranks mean that the posterior knows what it does not know.\n\n"
                    : "truth.\n\n")
            << wrap(found.verdict(), 90, 0) << '\n';
  for (const std::string& note : found.notes) std::cout << "\nnote: " << wrap(note, 90, 6) << '\n';
}

Json to_json(const model::Study& study, const model::NoisePlan& plan, const CalibrateCommand& options,
             const assess::Calibration& found) {
  Json rows = Json::array();
  for (const assess::QuantityCalibration& q : found.quantities) {
    rows.push(Json::object()
                  .set("name", q.name)
                  .set("label", q.label)
                  .set("ks", q.ks)
                  .set("coverage_50", q.coverage_50)
                  .set("coverage_90", q.coverage_90)
                  .set("coverage_95", q.coverage_95)
                  .set("chi_square_tail", q.histogram.chi_square_tail)
                  .set("histogram",
                       Json::list(std::vector<std::size_t>(q.histogram.bins.begin(), q.histogram.bins.end())))
                  .set("calibrated", q.calibrated()));
  }
  return Json::object()
      .set("study", study.name)
      .set("cost", spend_json(plan.cost))
      .set("engine", options.engine)
      .set("n", options.n)
      .set("studies", found.studies)
      .set("draws", options.draws)
      .set("seed", options.seed)
      .set("truths", found.truths)
      .set("cut", Json::list(found.cut))
      .set("ranks_are_even", found.ranks_are_even())
      .set("ks_limit", found.ks_limit())
      .set("quantities", std::move(rows))
      .set("notes", Json::list(found.notes))
      .set("alpha", assess::kCalibrationAlpha)
      .set("verdict", found.verdict())
      .set("calibrated", found.passed());
}

}  // namespace

int run_calibrate(Arguments arguments, const Session& session) {
  const CalibrateCommand options = parse_calibrate(arguments);
  const infer::EngineChoice engine = infer::parse_engine(options.engine);
  const model::Study study = model::load_study(options.study, {.select = selection_of(options.select)});
  const model::NoisePlan plan = make_plan(options.budget, study);
  assess::Calibration found;
  {
    Progress progress(session);
    found = assess::calibrate(
        study, plan,
        {static_cast<std::size_t>(options.studies), static_cast<std::size_t>(options.draws), options.n,
         engine, static_cast<std::uint64_t>(options.seed), static_cast<int>(options.threads)},
        progress.conversation());
  }
  const Error failure(ErrorCode::not_calibrated,
                      {"the posterior's intervals are not right in this study; take another engine"});
  if (session.json) {
    Json out = to_json(study, plan, options, found);
    if (!found.passed()) out.set("error", error_json(failure));
    std::cout << out.text();
    return found.passed() ? 0 : exit_status(failure.code());
  }
  print_text(study, plan, options, found);
  return found.passed() ? 0 : report_error(failure, session);
}

}  // namespace postern::app
