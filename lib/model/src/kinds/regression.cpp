#include "kinds/regression.hpp"

#include "postern/model/study_error.hpp"

#include "kinds/learned.hpp"

namespace postern::model {

std::vector<std::string> regression_columns(const std::vector<std::string>& features,
                                            const std::string& target) {
  std::vector<std::string> names = features;
  names.push_back(target);
  return names;
}

std::string read_target(Node& node, const Schema& schema) {
  std::string target = node.text("target");
  at_place({{"model", "target"}}, [&] { static_cast<void>(schema.at(target)); });
  return target;
}

std::vector<std::string> read_features(Node& node, const std::string& target, const Schema& schema) {
  if (node.states_all() || node.has("features")) return node.texts("features");
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) {
    if (column.name != target) names.push_back(column.name);
  }
  return names;
}

Rational read_normal_prior(Node& node, const Rational& otherwise) {
  if (!states_numbers(node)) return otherwise;
  const std::unique_ptr<Node> prior = node.inner("prior");
  prior->allow({"normal"});
  Rational sd = prior->rational("normal");
  prior->finish();
  return sd;
}

void check_kept(const Column& column) {
  if (!is_regression_number(column) || !std::holds_alternative<Drop>(column.outside)) return;
  throw StudyError({{"columns", column.name, "outside"}}, ErrorCode::bad_value,
                   {"column '", from_study(column.name),
                    "' drops records outside its range, which bends a regression; write outside = \"clamp\" "
                    "and a range that holds nearly all"});
}

std::vector<RegressionScale> feature_scales(const std::vector<std::string>& features,
                                            const std::string& target, const Schema& schema) {
  std::vector<RegressionScale> out;
  for (const MomentEntry& entry : feature_entries(features, target, schema)) {
    const Column& column = schema.at(features[entry.column]);
    out.push_back(entry.level == 0 ? regression_scale(column) : RegressionScale{});
  }
  return out;
}

std::vector<double> in_own_units(std::vector<double> scaled, bool intercept,
                                 const std::vector<RegressionScale>& scales) {
  const std::size_t first = intercept ? 1 : 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scaled[first + i] /= scales[i].half;
    if (intercept) scaled[0] -= scaled[first + i] * scales[i].centre;
  }
  return scaled;
}

std::vector<double> in_scaled_units(std::vector<double> natural, bool intercept,
                                    const std::vector<RegressionScale>& scales) {
  const std::size_t first = intercept ? 1 : 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (intercept) natural[0] += natural[first + i] * scales[i].centre;
    natural[first + i] *= scales[i].half;
  }
  return natural;
}

std::vector<Parameter> coefficient_parameters(const std::vector<std::string>& features,
                                              const std::string& target, bool intercept,
                                              const Schema& schema) {
  std::vector<Parameter> out;
  if (intercept) out.push_back({"beta.1", "intercept"});
  for (const MomentEntry& entry : feature_entries(features, target, schema)) {
    const std::string& name = features[entry.column];
    out.push_back({"beta." + std::to_string(out.size() + 1),
                   entry.level == 0 ? "slope of " + name
                                    : "effect of " + name + " = " + schema.at(name).label(entry.level)});
  }
  return out;
}

}  // namespace postern::model
