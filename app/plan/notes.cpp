#include "plan/notes.hpp"

#include <utility>

#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"

#include "describe.hpp"
#include "text.hpp"

namespace postern::app {
namespace {

using assess::Outlook;

constexpr std::size_t kFew = 20;  // simulated studies whose quartiles are rough

constexpr const char* kOldDefaultPrior =
    "the study is of version 1 and states no prior, so the prior has the fixed scale of that version; write "
    "version = 2, or prior = \"learned\", to have the scale learned from the release";

std::string note_on_few(const assess::ExpectedWidth& width) {
  return "one posterior of this study takes " + seconds_text(width.seconds) + ": only " +
         std::to_string(width.draws) + (width.draws == 1 ? " study was" : " studies were") +
         " simulated, and the widths are rough; --seconds or --simulations asks for more";
}

std::string note_on_draws(std::size_t most) {
  return "`infer` cannot hold as many draws of so many quantities as it takes unasked: ask it for --draws " +
         std::to_string(most) + ", or fewer";
}

std::string note_on_vague_prior(const assess::ExpectedWidth& width) {
  const std::string share = number(100 * width.outside);
  std::string note = "the prior is vague: the studies drawn from it are unlike each other";
  if (share != "0") note += ", or have " + share + " % of their records outside of the declared range";
  return note + "; --at plans for the parameters that you expect";
}

}  // namespace

std::vector<std::string> notes_on(const PlanOptions& options, const model::Study& study,
                                  const model::NoisePlan& plan, const std::optional<Outlook>& outlook) {
  std::vector<std::string> notes;
  for (const std::string& name : model::columns_of(study.model)) {
    const model::Column& column = study.schema.at(name);
    if (!column.missing_declared) {
      notes.push_back("column " + printable(name) +
                      " names no `missing` value: empty or unreadable fields will count as '" +
                      printable(column.label(0)) + "'");
    }
  }
  if (study.old_default_prior) notes.emplace_back(kOldDefaultPrior);
  for (std::string& note : study.model.kind().notes(study.model)) notes.push_back(std::move(note));
  for (std::string& note : study.model.kind().advice(study, plan, options.n))
    notes.push_back(std::move(note));
  if (!study.model.kind().has_posterior()) {
    notes.emplace_back("write the chosen values as the bounds of a study of their own");
  } else if (grid_text(study, plan)) {
    notes.emplace_back(
        "`infer` weighs what is chosen where a network is small, else shows it as it is, without an "
        "interval; "
        "tables (laplace, gaussian) always have a posterior");
  } else if (!outlook) {
    notes.emplace_back("give --n to see the expected posterior width");
  } else if (outlook->width.rows.empty() && plan.rounds) {
    notes.emplace_back("no width is forecast: what is measured is chosen by the release");
  } else if (outlook->width.rows.empty()) {
    notes.emplace_back(
        outlook->bytes > static_cast<double>(infer::InferOptions{}.memory_limit)
            ? "no width is forecast: the posterior would need more memory than `infer` takes; merge levels, "
              "or lower n or n.at_most"
            : "no width is forecast: a posterior would take longer than a plan should, or more than `infer` "
              "takes");
  } else if (outlook->width.close_to_prior()) {
    notes.push_back("the posterior will be close to the prior: at " + spend_text(plan.cost) +
                    " this release would say little; spend more, ask of more records, or merge levels");
  }
  if (outlook && outlook->most_draws) notes.push_back(note_on_draws(*outlook->most_draws));
  if (!outlook || outlook->width.rows.empty()) return notes;
  const bool vague = !options.at && outlook->width.ruled_by_the_prior();
  if (vague) notes.push_back(note_on_vague_prior(outlook->width));
  if (!options.simulations && outlook->width.draws < kFew) notes.push_back(note_on_few(outlook->width));
  return notes;
}

}  // namespace postern::app
