#include "postern/model/plan.hpp"

#include <algorithm>
#include <iostream>

#include "postern/assess/outlook.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/warnings/proportion.hpp"
#include "postern/model/planning_law.hpp"
#include "postern/model/sequences.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/contribution.hpp"
#include "postern/release/noise_law.hpp"

#include "budget.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "json_out.hpp"
#include "plan/mechanism_table.hpp"
#include "plan/notes.hpp"
#include "plan/options.hpp"
#include "plan/width_table.hpp"
#include "progress.hpp"
#include "select_option.hpp"
#include "session.hpp"
#include "table.hpp"

namespace postern::app {
namespace {

PlanOptions parse(Arguments arguments) {
  PlanOptions options;
  Command command("plan", "what a release would cost and be worth. No data is read and nothing is charged.");
  command.argument("STUDY", options.study, "study.toml");
  options.budget.declare(command);
  command.option("--select", options.select, "HOW", kSelectHelp)
      .whole("--n", options.n, 0,
             "number of records to plan for; with private n: assumed (default: drawn from its prior)")
      .option("--at", options.at, "TRUTH",
              "parameters to plan for, in the words of the posterior (\"mean 38, variance 180\", "
              "\"P(smoker = yes) 0.3\"); without it they are drawn from the prior (where it is learned, from "
              "the planning law), and a vague prior says "
              "little about the study you will have")
      .whole("--simulations", options.simulations, 1,
             "simulated studies (default: at most 200, as the time allows)")
      .whole("--seconds", options.seconds, 0,
             "begin no simulated study later than that, but for the first " +
                 std::to_string(assess::kFewestStudies) + " (default 10, or no limit with --simulations)")
      .whole("--seed", options.seed, 0, "seed of the simulations (default 1)")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .examples(
          "postern plan study.toml --epsilon 1 --n 5000\n"
          "postern plan study.toml --epsilon 1 --n 5000 --at \"mean 38, variance 180\"\n"
          "postern plan study.toml --rho 0.1 --n 5000 --json");
  command.parse(arguments);
  return options;
}

using assess::Outlook;

/// What a release of records with ids takes beside its columns: for so many records read.
struct Bounding {
  std::int64_t records = 0;
  double bytes = 0;
};
std::optional<Bounding> bounding_of(const PlanOptions& options, const model::Study& study) {
  if (!std::holds_alternative<model::PersonUnit>(study.privacy.unit)) return std::nullopt;
  const std::int64_t records = options.n.value_or(study.privacy.n_at_most.value_or(0));
  return Bounding{records, owner::bounding_bytes(static_cast<double>(records))};
}

/// How much dearer a unit is than one of its records: k times, or k^2 times in rho (measurement.md).
Rational cost_factor(const model::PrivacyPolicy& privacy) {
  const Rational k = model::records_per_unit(privacy.unit);
  return privacy.currency == Currency::pure ? k : Rational(k * k);
}

std::string cost_text(const model::Study& study, const model::NoisePlan& plan) {
  const std::string_view method = cost_method(plan.measurement, study.schema, study.privacy);
  std::string text =
      spend_text(plan.cost) + (method == "bound" ? ", by a bound on what a record can change" : ", exactly");
  if (model::ordered_by(study.model)) return text + ", for everything that one person did";
  const Rational factor = cost_factor(study.privacy);
  if (factor == 1) return text;
  const Rational one = cost(plan.measurement, study.schema, study.privacy) / factor;
  return text + ": " + to_fraction(factor) + " x the " + to_fraction(one) + " of one record";
}

TextTable block_table(const model::Study& study, const model::NoisePlan& plan) {
  TextTable table;
  table.column("block", Align::left).column("cells", Align::right).column("noise", Align::left);
  table.column("parameter", Align::left).column("sd", Align::right).column("in", Align::left);
  for (const model::Block& block : plan.measurement.blocks) {
    const std::optional<double> sd = release::noise_sd(block.noise);
    table.row({block_text(block.statistic, study.schema), grouped(static_cast<long long>(block.size)),
               std::string(to_text(block.noise.kind)), noise_text(block.noise), sd ? number(*sd) : "-",
               block.statistic.kind().unit(block.statistic, study.schema)});
  }
  return table;
}

std::string n_text(const PlanOptions& options, const model::Study& study) {
  if (options.n) return "n = " + grouped(*options.n);
  return "n uniform on 0.." + grouped(*study.privacy.n_at_most);
}

void print_widths(const PlanOptions& options, const model::Study& study, const assess::ExpectedWidth& width) {
  const std::string studies = std::to_string(width.draws) + (width.draws == 1 ? " study" : " studies");
  std::cout << "\nwidth of the 90 % interval, " << n_text(options, study) << ", quartiles of " << studies
            << " simulated "
            << (options.at ? "at " + printable(*options.at) : "from " + model::truths_text(study.model))
            << '\n';
  const std::vector<assess::WidthRow> shown = shown_rows(width.rows);
  std::cout << width_table(shown).text();
  if (shown.size() < width.rows.size()) {
    std::cout << "... and " << grouped(static_cast<long long>(width.rows.size() - shown.size()))
              << " more rows, with --json\n";
  }
}

void print_text(const PlanOptions& options, const model::Study& study, const model::NoisePlan& plan,
                const std::optional<Outlook>& outlook, const std::vector<std::string>& notes) {
  Facts facts{{"study", printable(study.name) + " (dataset " + printable(study.dataset) + ")"},
              {"model", model_text(study.model, study.schema)},
              {"privacy", policy_text(study)},
              {"mechanism", std::string(to_text(plan.request.mechanism))},
              {"cost", cost_text(study, plan)}};
  if (const auto grid = grid_text(study, plan)) facts.emplace_back("grid", *grid);
  if (outlook) {
    facts.emplace_back(
        "memory", (plan.rounds ? "at most " : "about ") + bytes_text(outlook->bytes) + " for the posterior");
    if (!outlook->width.rows.empty()) {
      facts.emplace_back("time", seconds_text(outlook->width.seconds) + " a posterior on this machine");
    }
  }
  if (const auto bounding = bounding_of(options, study)) {
    facts.emplace_back("bounding", "at most " + bytes_text(bounding->bytes) + " of memory when " +
                                       grouped(bounding->records) + " records are read");
  }
  std::cout << fact_lines(facts) << '\n' << block_table(study, plan).text();
  if (outlook && !outlook->width.rows.empty()) print_widths(options, study, outlook->width);
  if (!notes.empty()) std::cout << '\n';
  for (const std::string& note : notes) std::cout << "note: " << wrap(note, 96, 6) << '\n';
}

Json to_json(const PlanOptions& options, const model::Study& study, const model::NoisePlan& plan,
             const std::optional<Outlook>& outlook, const std::vector<std::string>& notes) {
  Json blocks = Json::array();
  for (const model::Block& block : plan.measurement.blocks) {
    blocks.push(Json::object()
                    .set("statistic", block_text(block.statistic, study.schema))
                    .set("cells", block.size)
                    .set("noise", to_text(block.noise.kind))
                    .set("parameter", to_fraction(block.noise.parameter))
                    .set("sd", release::noise_sd(block.noise))
                    .set("in", block.statistic.kind().unit(block.statistic, study.schema)));
  }
  const std::string_view method = cost_method(plan.measurement, study.schema, study.privacy);
  Json out = Json::object();
  out.set("study", study.name).set("dataset", study.dataset).set("privacy", policy_json(study.privacy));
  out.set("mechanism", to_text(plan.request.mechanism))
      .set("cost", spend_json(plan.cost))
      .set("blocks", std::move(blocks));
  if (const auto grid = grid_text(study, plan)) out.set("grid", *grid);
  if (plan.rounds)
    out.set("rounds", Json::object().set("at_most", plan.rounds->at_most).set("rule", plan.rounds->rule));
  if (!method.empty()) out.set("cost_is", method);
  if (const auto bounding = bounding_of(options, study)) {
    out.set("cost_factor", to_fraction(cost_factor(study.privacy))).set("bounding_bytes", bounding->bytes);
  }
  if (outlook) {
    Json rows = Json::array();
    for (const assess::WidthRow& row : outlook->width.rows) {
      rows.push(Json::object()
                    .set("quantity", row.label)
                    .set("prior", row.prior)
                    .set("q25", row.q25)
                    .set("median", row.median)
                    .set("q75", row.q75)
                    .set("expected", row.expected)
                    .set("without_noise", row.without_noise));
    }
    out.set("n", options.n)
        .set("at", options.at)
        .set("truths", options.at ? *options.at : model::truths_text(study.model))
        .set("simulations", outlook->width.draws)
        .set("width_90", std::move(rows));
    out.set("outside", outlook->width.outside);
    out.set("memory_bytes", outlook->bytes).set("seconds", outlook->width.seconds);
    if (!outlook->width.rows.empty()) out.set("close_to_prior", outlook->width.close_to_prior());
  }
  return out.set("notes", Json::list(notes));
}

/// A forecast looks at every cell, and a posterior more than once: nobody should wait without knowing why.
void announce(const PlanOptions& options, const model::NoisePlan& plan, const Session& session) {
  constexpr std::size_t kMany = 100'000;
  const std::size_t cells = plan.measurement.blocks.front().size;
  if (cells <= kMany || !options.n) return;
  log_line(session, "Looking ahead at " + grouped(static_cast<long long>(cells)) +
                        " cells takes some seconds; without --n there are only cost and noise");
}

}  // namespace

int run_plan(Arguments arguments, const Session& session) {
  const PlanOptions options = parse(arguments);
  const model::Study study = model::load_study(options.study, {.select = selection_of(options.select)});
  const model::NoisePlan plan = make_plan(options.budget, study);
  std::optional<Outlook> outlook;
  std::optional<assess::MechanismComparison> comparison;
  announce(options, plan, session);
  {
    Progress progress(session);
    outlook =
        assess::look_ahead(study, plan,
                           {options.n, options.simulations, options.seconds, options.at,
                            static_cast<std::uint64_t>(options.seed), static_cast<int>(options.threads)},
                           progress.conversation());
    comparison = assess::compare_mechanisms(
        study, options.budget,
        {options.n, options.at, static_cast<std::uint64_t>(options.seed), static_cast<int>(options.threads)},
        progress.conversation());
  }
  const std::vector<std::string> notes = notes_on(options, study, plan, outlook);
  const std::vector<Warning> warnings = infer::planned_proportion(study, plan.measurement, options.n);
  if (session.json) {
    Json out = to_json(options, study, plan, outlook, notes);
    if (comparison) out.set("mechanisms", comparison_json(*comparison));
    std::cout << out.set("warnings", warnings_json(warnings)).text();
  } else {
    print_text(options, study, plan, outlook, notes);
    if (comparison) std::cout << '\n' << comparison_text(*comparison, n_text(options, study));
    std::cout << warning_lines(warnings);
  }
  return 0;
}

}  // namespace postern::app
