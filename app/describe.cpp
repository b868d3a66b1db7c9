#include "describe.hpp"

#include "postern/model/number_family.hpp"
#include "postern/model/statistic_text.hpp"
#include "postern/release/chosen.hpp"

namespace postern::app {
namespace {

std::string joined(const std::vector<std::string>& parts, const char* glue) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : glue) + part;
  return out;
}

bool all_equal(const std::vector<Rational>& values) {
  for (const Rational& value : values) {
    if (value != values.front()) return false;
  }
  return true;
}

std::string joined(const std::vector<Rational>& numbers) {
  std::vector<std::string> parts;
  for (const Rational& number : numbers) parts.push_back(to_decimal(number));
  return joined(parts, ", ");
}

std::string number_text(const model::Number& model) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  std::string text = model.family + ": " + printable(model.column);
  for (std::size_t i = 0; i < model.known.size(); ++i)
    text += ", " + std::string(family.known[i].name) + " " + to_decimal(model.known[i]);
  return text + ", prior " + std::string(family.prior) + "(" + joined(model.prior) + ")";
}

std::string vector_text(const model::MultivariateNormal& model) {
  std::string scale;
  const std::size_t d = model.columns.size();
  for (std::size_t i = 0; i < d; ++i) {
    const auto row = model.scale.begin() + static_cast<std::ptrdiff_t>(i * d);
    scale += (i == 0 ? "" : "; ") + joined(std::vector<Rational>(row, row + static_cast<std::ptrdiff_t>(d)));
  }
  return "multivariate-normal: " + printable(joined(model.columns, ", ")) +
         ", prior normal-inverse-wishart(mean " + joined(model.mean) + ", weight " +
         to_decimal(model.weight) + ", degrees " + to_decimal(model.degrees) + ", scale [" + scale + "])";
}

}  // namespace

std::string model_text(const model::Model& model, const model::Schema& schema) {
  if (const auto* bernoulli = std::get_if<model::Bernoulli>(&model)) {
    return "bernoulli: P(" + printable(bernoulli->column) + " = " +
           printable(schema.at(bernoulli->column).label(bernoulli->success)) + "), prior beta(" +
           to_decimal(bernoulli->a) + ", " + to_decimal(bernoulli->b) + ")";
  }
  if (const auto* number = std::get_if<model::Number>(&model)) return number_text(*number);
  if (const auto* quantiles = std::get_if<model::Quantiles>(&model))
    return "quantiles of " + printable(quantiles->column) + " at " + joined(quantiles->at);
  if (const auto* vector_model = std::get_if<model::MultivariateNormal>(&model))
    return vector_text(*vector_model);
  const auto& categorical = std::get<model::Categorical>(model);
  const std::string prior = all_equal(categorical.alpha)
                                ? "dirichlet(" + to_decimal(categorical.alpha.front()) + ")"
                                : "dirichlet, as declared";
  return "categorical: " + printable(joined(categorical.columns, " x ")) + ", " +
         grouped(static_cast<long long>(categorical.alpha.size())) + " cells, prior " + prior;
}

std::string policy_text(const model::PrivacyPolicy& privacy) {
  std::string unit = "unit record";
  if (const auto* person = std::get_if<model::PersonUnit>(&privacy.unit)) {
    unit = "unit " + printable(person->column) + ", at most " + std::to_string(person->at_most) +
           " records each";
  }
  std::string n = "n is public";
  if (privacy.n_at_most) n = "n is private, at most " + grouped(*privacy.n_at_most);
  return std::string(to_text(privacy.currency)) + ", " + std::string(to_text(privacy.adjacency)) + ", " +
         unit + "; " + n;
}

std::string block_text(const model::Statistic& statistic, const model::Schema& schema) {
  return printable(model::statistic_text(statistic, schema));
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

Facts chosen_facts(const release::Release& release) {
  Facts facts;
  for (const release::ChosenValue& chosen : release::chosen_values(release))
    facts.emplace_back("chosen", printable(chosen.statistic) + ": " + printable(chosen.value));
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
