#include "kinds/choice/read.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

#include "kinds/choice/inner_node.hpp"
#include "kinds/choice/score_file.hpp"

namespace postern::model {
namespace {

/// A candidate is one number, but for a categorical: there it has one a level.
bool has_rows(const Choice& model) { return model.records.kind().family(model.records) == "categorical"; }

std::vector<std::vector<Rational>> parsed(Node& node, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<Rational>> out;
  for (const std::vector<std::string>& row : rows) {
    std::vector<Rational>& numbers = out.emplace_back();
    for (const std::string& text : row) {
      const auto number = node.states_all() ? parse_fraction(text) : parse_decimal(text);
      if (!number) {
        node.refuse(ErrorCode::bad_value, "candidates",
                    {"holds '", from_study(text), "', which is no number such as \"0.25\""});
      }
      numbers.push_back(*number);
    }
  }
  return out;
}

void read_points(Choice& model, Node& node, const Column& column) {
  if (node.states_all() || has_rows(model)) {
    model.points = parsed(node, node.text_rows("candidates", has_rows(model) ? column.levels() : 1));
  } else {
    for (const Rational& number : node.rationals("candidates")) model.points.push_back({number});
  }
  if (node.states_all() || node.has("power")) model.power = node.rational("power");
}

void read_candidates(Choice& model, Node& node, const Schema& schema) {
  const bool scored = node.has("scores");
  if (!node.states_all() && scored == node.has("candidates")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a choice needs candidates = [\"0.1\", \"0.5\", ..], or scores = \"scores.csv\", not both"});
  }
  const Column& column = schema.at(columns_of(model.records).front());
  if (!scored) return read_points(model, node, column);
  if (node.states_all()) {
    model.names = node.texts("candidates");
    if (model.names.empty()) node.refuse(ErrorCode::bad_value, "candidates", {"must be 2 or more"});
    model.scores = read_scores(node, model.names.size());
    return;
  }
  if (node.has("power"))
    node.refuse(ErrorCode::bad_value, "power", {"is of a likelihood, and here are scores; leave it out"});
  read_score_file(node, column, model);
}

}  // namespace

Choice read_choice(Node& node, const Schema& schema) {
  InnerNode inner(node, {"candidates", "scores", "power", "draws"});
  Choice model;
  model.records = read_model(inner, schema);
  read_candidates(model, node, schema);
  if (node.states_all() || node.has("draws")) model.draws = node.integer("draws", 1, kMostDraws);
  return model;
}

JsonValue write_choice(const Choice& model) {
  JsonValue records = model.records.kind().write(model.records);
  auto& members = std::get<JsonObject>(records.data);
  for (JsonMember& member : members) {
    if (member.key == "kind") member.value = json_text("choice");
  }
  members.push_back({"draws", json_integer(model.draws)});
  if (model.points.empty()) {
    JsonArray scores;
    for (const std::int64_t score : model.scores) scores.push_back(json_rational(Rational(score)));
    members.push_back({"candidates", json_texts(model.names)});
    members.push_back({"scores", json_array(std::move(scores))});
    return records;
  }
  JsonArray rows;
  for (const std::vector<Rational>& point : model.points) rows.push_back(json_rationals(point));
  members.push_back({"candidates", json_array(std::move(rows))});
  members.push_back({"power", json_rational(model.power)});
  return records;
}

}  // namespace postern::model
