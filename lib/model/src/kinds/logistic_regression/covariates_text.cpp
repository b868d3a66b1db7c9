#include "kinds/logistic_regression/covariates_text.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/logistic_regression/covariate_rows.hpp"

namespace postern::model {
namespace {

using Shape = ColumnLaw::Shape;

ColumnLaw read_law(Node& node, const std::string& name) {
  if (node.is_text(name)) {
    if (node.text(name) == "uniform") return {};
    node.refuse(
        ErrorCode::bad_value, name,
        {"'", from_study(name), "' is assumed \"uniform\", { normal = [mean, sd] } or { weights = [..] }"});
  }
  const std::unique_ptr<Node> law = node.inner(name);
  law->allow({"normal", "weights"});
  const bool normal = law->has("normal");
  if (normal == law->has("weights"))
    law->refuse(
        ErrorCode::missing_key, "",
        {"the law of '", from_study(name), "' is normal = [mean, sd] or weights = [..], one of the two"});
  ColumnLaw out{normal ? Shape::normal : Shape::weights,
                normal ? law->rationals("normal", 2) : law->rationals("weights")};
  law->finish();
  return out;
}

Covariates read_laws(Node& node, const std::vector<std::string>& features) {
  const std::vector<std::string_view> known(features.begin(), features.end());
  node.allow(known);
  Covariates out;
  for (const std::string& name : features) {
    if (!node.has(name))
      node.refuse(ErrorCode::missing_key, "",
                  {"every feature needs a law that is assumed of it; '", from_study(name),
                   "' has none: write \"uniform\", { normal = [mean, sd] } or { weights = [..] }"});
    out.laws.push_back(read_law(node, name));
  }
  node.finish();
  return out;
}

[[noreturn]] void refuse_law(const std::string& name, const PublicText& text) {
  throw StudyError({{"model", "covariates", name}}, ErrorCode::bad_value, text);
}

void check_weights(const ColumnLaw& law, const std::string& name, const Column& column) {
  const bool number = is_regression_number(column);
  const std::size_t count = law.numbers.size();
  if (!number && count != column.levels())
    refuse_law(name, {"the weights of '", from_study(name), "' are one for each of its levels"});
  if (number && (count == 0 || count > column.levels()))
    refuse_law(name, {"the weights of '", from_study(name),
                      "' are one for each of equally wide parts of its range, at most a level each"});
  Rational sum = 0;
  for (const Rational& weight : law.numbers) {
    if (sgn(weight) < 0 || weight > 1'000'000'000)
      refuse_law(name, {"weights of '", from_study(name), "' must lie in 0..1000000000"});
    sum += weight;
  }
  if (sum < Rational(1, 1'000'000)) refuse_law(name, {"the weights of '", from_study(name), "' are all 0"});
}

void check_normal(const ColumnLaw& law, const std::string& name, const Column& column) {
  if (!is_regression_number(column))
    refuse_law(name, {"'", from_study(name), "' has categories; write weights = [..], one a level"});
  constexpr long kFarthest = 1'000'000'000;
  if (law.numbers.size() != 2 || sgn(law.numbers[1]) <= 0 || abs(law.numbers[0]) > kFarthest ||
      law.numbers[1] > kFarthest || law.numbers[1] < Rational(1, kFarthest))
    refuse_law(name, {"normal = [mean, sd] of '", from_study(name), "' needs a standard deviation above 0"});
}

}  // namespace

Covariates read_covariates(Node& node, const std::vector<std::string>& features, const Schema& schema) {
  if (!node.states_all() && node.has("covariates_from")) {
    if (node.has("covariates"))
      node.refuse(ErrorCode::bad_value, "covariates_from",
                  {"stands in place of `covariates`; write one of the two"});
    for (const std::string& name : features)
      at_place({{"model", "features"}}, [&] { static_cast<void>(schema.at(name)); });
    return {{}, read_row_file(node, features, schema)};
  }
  const bool rows = node.states_all() && node.is_text("covariates") && node.text("covariates") == "rows";
  if (node.states_all() && rows != node.has("covariate_rows"))
    node.refuse(ErrorCode::release_malformed, "covariates",
                {"stands beside `covariate_rows` if it is \"rows\", and else alone"});
  if (rows) return {{}, read_document_rows(node)};
  if (!node.is_text("covariates")) return read_laws(*node.inner("covariates"), features);
  const std::string word = node.text("covariates");
  if (word != "uniform")
    node.refuse(
        ErrorCode::unsupported, "covariates",
        {"covariates = \"", from_study(word),
         "\" is not available in this version; it has \"uniform\" (every level as likely as the others, "
         "columns independent), a table of a law for each feature, and covariates_from = \"rows.csv\" "
         "(public records)"});
  return {};
}

JsonObject write_covariates(const Covariates& covariates, const std::vector<std::string>& features) {
  if (!covariates.rows.empty()) {
    std::vector<Rational> levels;
    for (const std::uint32_t level : covariates.rows) levels.emplace_back(level);
    return {{"covariates", json_text("rows")}, {"covariate_rows", json_rationals(levels)}};
  }
  if (covariates.laws.empty()) return {{"covariates", json_text("uniform")}};
  JsonObject laws;
  for (std::size_t c = 0; c < features.size(); ++c) {
    const ColumnLaw& law = covariates.laws.at(c);
    const char* shape = law.shape == Shape::normal ? "normal" : "weights";
    laws.push_back({features[c], law.shape == Shape::uniform
                                     ? json_text("uniform")
                                     : json_object({{shape, json_rationals(law.numbers)}})});
  }
  return {{"covariates", json_object(std::move(laws))}};
}

void check_covariates(const Covariates& covariates, const std::vector<std::string>& features,
                      const Schema& schema) {
  for (std::size_t c = 0; c < covariates.laws.size(); ++c) {
    const ColumnLaw& law = covariates.laws[c];
    const Column& column = schema.at(features.at(c));
    if (law.shape == Shape::normal) check_normal(law, column.name, column);
    if (law.shape == Shape::weights) check_weights(law, column.name, column);
  }
  check_rows(covariates, features, schema);
}

std::string covariates_words(const Covariates& covariates, const std::vector<std::string>& features) {
  if (!covariates.rows.empty())
    return std::to_string(covariates.rows.size() / features.size()) + " public rows";
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < covariates.laws.size(); ++c) {
    const ColumnLaw& law = covariates.laws[c];
    if (law.shape == Shape::uniform) continue;
    parts.push_back((law.shape == Shape::normal ? "normal(" + joined(law.numbers) + ") of "
                                                : std::to_string(law.numbers.size()) + " weights of ") +
                    features[c]);
  }
  return parts.empty() ? "uniform" : joined(parts, ", ");
}

}  // namespace postern::model
