#include "describe.hpp"

#include <algorithm>
#include <span>

#include "postern/model/sequences.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/release/chosen.hpp"
#include "postern/release/rounds.hpp"

namespace postern::app {

std::string model_text(const model::Model& model, const model::Schema& schema) {
  return printable(model.kind().text(model, schema));
}

std::string chosen_model_text(const release::Release& release) {
  const model::Study& declared = release.study;
  const model::Study study = release::settled(release).study;
  const std::string text = model_text(study.model, study.schema);
  return text == model_text(declared.model, declared.schema) ? text : text + ", chosen by the release";
}

namespace {

std::string text_of(const model::PrivacyPolicy& privacy, const char* counted) {
  std::string unit = "unit record";
  if (const auto* person = std::get_if<model::PersonUnit>(&privacy.unit)) {
    unit = "unit " + printable(person->column) + ", at most " + std::to_string(person->at_most) + " " +
           counted + " each";
  }
  std::string n = "n is public";
  if (privacy.n_at_most) n = "n is private, at most " + grouped(*privacy.n_at_most);
  return std::string(to_text(privacy.currency)) + ", " + std::string(to_text(privacy.adjacency)) + ", " +
         unit + "; " + n;
}

}  // namespace

std::string policy_text(const model::PrivacyPolicy& privacy) { return text_of(privacy, "records"); }

std::string policy_text(const model::Study& study) {
  return text_of(study.privacy, model::ordered_by(study.model) ? "transitions" : "records");
}

std::string block_text(const model::Statistic& statistic, const model::Schema& schema) {
  return printable(statistic.kind().text(statistic, schema));
}

std::string noise_text(const model::Noise& noise) {
  if (noise.kind == model::NoiseKind::exponential) return "scale = " + number(noise.parameter.get_d());
  const bool laplace = noise.kind == model::NoiseKind::discrete_laplace;
  return (laplace ? "lambda = " : "sigma^2 = ") + to_decimal(noise.parameter);
}

std::string spend_text(const Spend& spend) {
  return std::string(unit_name(spend.currency())) + " " + spend.text();
}

std::string count_text(const release::CountStatement& n) {
  if (const auto* known = std::get_if<release::PublicCount>(&n)) return grouped(known->value) + " (public)";
  return "private, between 0 and " + grouped(std::get<release::PrivateCount>(n).at_most);
}

std::optional<std::string> grid_text(const model::Study& study, const model::NoisePlan& plan) {
  const auto grid = model::planned_grid(plan.measurement, study.schema, study.privacy);
  if (!grid) return std::nullopt;
  std::string text = grouped(static_cast<long long>(grid->points)) +
                     " points, omega = " + number(grid->omega.get_d()) +
                     ", tau = " + number(grid->tau.get_d());
  if (grid->range) text += ", R = " + number(grid->range->get_d());
  return text;
}

Facts chosen_facts(const release::Release& release) {
  constexpr std::size_t kMost = 30;  // that a reader of text is shown; the document has all
  Facts facts;
  const std::vector<release::ChosenValue> all = release::chosen_values(release);
  for (const release::ChosenValue& chosen : std::span(all).first(std::min(kMost, all.size())))
    facts.emplace_back("chosen", printable(chosen.statistic) + ": " + printable(chosen.value));
  if (all.size() > kMost)
    facts.emplace_back("chosen", "... and " + std::to_string(all.size() - kMost) + " more");
  return facts;
}

std::string warning_lines(const std::vector<Warning>& warnings) {
  std::string out;
  for (const Warning& warning : warnings)
    out += wrap("warning [" + warning.name + "]: " + printable(warning.text), 96, 9) + '\n';
  return out;
}

Json policy_json(const model::PrivacyPolicy& privacy) {
  Json out = Json::object();
  out.set("currency", to_text(privacy.currency)).set("adjacency", to_text(privacy.adjacency));
  if (const auto* person = std::get_if<model::PersonUnit>(&privacy.unit)) {
    out.set("unit", Json::object().set("column", person->column).set("at_most", person->at_most));
  } else {
    out.set("unit", "record");
  }
  return out.set("n_at_most", privacy.n_at_most);
}

Json spend_json(const Spend& spend) {
  return Json::object().set(std::string(unit_name(spend.currency())), spend.text());
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json out = Json::array();
  for (const Warning& warning : warnings)
    out.push(Json::object().set("name", warning.name).set("text", warning.text));
  return out;
}

Json count_json(const release::CountStatement& n) {
  if (const auto* known = std::get_if<release::PublicCount>(&n)) {
    return Json::object().set("kind", "public").set("value", known->value);
  }
  return Json::object().set("kind", "private").set("at_most", std::get<release::PrivateCount>(n).at_most);
}

}  // namespace postern::app
