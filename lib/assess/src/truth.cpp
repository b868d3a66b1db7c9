#include "postern/assess/truth.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/table/count_model.hpp"
#include "postern/infer/query.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/quantiles.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/study.hpp"

namespace postern::assess {
namespace {

/// One thing that is assumed: "mean" 38.
struct Assumption {
  std::string what;
  double value = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_probability(std::string_view what) { return what.starts_with("P(") || what.starts_with("P ("); }

/// Words and then a number; nothing if it is not that. What begins as a probability ends its words with a
/// bracket, so that the numbers among its values are not taken for its own.
std::optional<Assumption> read_one(std::string_view text) {
  text = trimmed(text);
  const std::size_t space = text.find_last_of(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view what = trimmed(text.substr(0, space));
  const std::string_view digits = text.substr(space + 1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  if (is_probability(what) && !what.ends_with(')')) return std::nullopt;
  return Assumption{std::string(what), value};
}

/// Parts between commas, where a comma ends a part only if the part is whole.
std::vector<Assumption> read_all(std::string_view text, const std::string& example) {
  std::vector<Assumption> out;
  std::size_t begin = 0;
  for (std::size_t end = text.find(','); begin <= text.size(); end = text.find(',', end + 1)) {
    const bool last = end == std::string_view::npos;
    if (last) end = text.size();
    if (auto one = read_one(text.substr(begin, end - begin))) {
      out.push_back(std::move(*one));
      begin = end + 1;
    } else if (last) {
      throw Error(ErrorCode::bad_option,
                  {"at: '", from_option(trimmed(text.substr(begin))),
                   "' is not understood; write what you assume like \"", from_option(example), "\""});
    }
  }
  return out;
}

/// A parameter by everything it is called.
struct Parameter {
  std::vector<std::string> words;  ///< the one that messages show first
  bool required = true;
  std::optional<double> value;
};

std::string shown_words(const std::vector<Parameter>& parameters) {
  std::string all;
  for (const Parameter& one : parameters) {
    if (one.required) all += (all.empty() ? "" : ", ") + one.words.front();
  }
  return all;
}

Parameter& find_parameter(std::vector<Parameter>& parameters, const std::string& word) {
  std::vector<std::string> known;
  for (Parameter& one : parameters) {
    if (std::find(one.words.begin(), one.words.end(), word) != one.words.end()) return one;
    known.insert(known.end(), one.words.begin(), one.words.end());
  }
  if (const auto nearest = model::nearest_name(word, known)) {
    throw Error(
        ErrorCode::bad_option,
        {"at: '", from_option(word), "' is no parameter of this model; is it '", from_study(*nearest), "'?"});
  }
  throw Error(ErrorCode::bad_option, {"at: '", from_option(word), "' is no parameter of this model; it has ",
                                      from_option(shown_words(parameters))});
}

/// The parameters' values, each given once.
std::vector<double> read_values(const std::string& text, std::vector<Parameter> parameters) {
  std::string example;
  for (const Parameter& one : parameters) {
    if (one.required) example += (example.empty() ? "" : ", ") + one.words.front() + " 1";
  }
  for (const Assumption& one : read_all(text, example)) {
    Parameter& found = find_parameter(parameters, one.what);
    if (found.value) throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what), "' is given twice"});
    found.value = one.value;
  }
  std::vector<double> out;
  for (const Parameter& one : parameters) {
    if (!one.value && one.required) {
      throw Error(ErrorCode::bad_option, {"at says nothing of '", from_study(one.words.front()),
                                          "'; a truth has all of ", from_option(shown_words(parameters))});
    }
    out.push_back(one.value.value_or(0));
  }
  return out;
}

[[noreturn]] void refuse_value(std::string_view what, const char* wanted) {
  throw Error(ErrorCode::bad_option, {"at: '", from_study(what), "' must be ", quote(wanted, 40)});
}

std::vector<double> truth_of(const model::Number& model, const model::Study& /*study*/,
                             const std::string& text) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < family.parameters.size(); ++i) {
    std::string_view word = family.labels[i];
    if (word.ends_with(" of")) word.remove_suffix(3);  // "mean"; but "mean of log" is no mean
    parameters.push_back(
        {{std::string(word), family.label(i, model.column), std::string(family.parameters[i])}, true, {}});
  }
  std::vector<double> values = read_values(text, parameters);
  const auto law = family.law(model.known);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const model::ParameterSpace space = law->space(i);
    if (space != model::ParameterSpace::real && !(values[i] > 0))
      refuse_value(parameters[i].words[0], "above 0");
    if (space == model::ParameterSpace::unit && !(values[i] < 1))
      refuse_value(parameters[i].words[0], "below 1");
  }
  return values;
}

std::vector<double> truth_of(const model::MultivariateNormal& model, const model::Study& /*study*/,
                             const std::string& text) {
  std::vector<Parameter> parameters;
  for (model::Parameter& one : model::vector_parameters(model)) {
    const bool required = !one.label.starts_with("covariance");
    parameters.push_back({{std::move(one.label), std::move(one.name)}, required, {}});
  }
  std::vector<double> values = read_values(text, std::move(parameters));
  if (model::vector_theta(values, model.columns.size()).root.empty()) {
    throw Error(ErrorCode::bad_option,
                {"at: these variances and covariances belong to no normal law; variances must be above 0, "
                 "and a covariance smaller than the root of the product of its variances"});
  }
  return values;
}

/// Cells settled so far.
class Cells {
 public:
  explicit Cells(const model::Study& study)
      : study_(study), model_(infer::make_count_model(study, {})), values_(model_.alpha.size(), kOpen) {}

  void assume(const Assumption& one) {
    if (one.value < 0 || one.value > 1) refuse_value(one.what, "a probability, from 0 to 1");
    const std::vector<bool> event = event_of(one.what);
    double weight = 0;
    for (std::size_t i = 0; i < event.size(); ++i) {
      if (!event[i]) continue;
      if (values_[i] != kOpen)
        throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what),
                                            "' holds a cell that another probability holds; give disjoint "
                                            "ones, such as the cells themselves"});
      weight += model_.alpha[i];
    }
    if (weight == 0)
      throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what), "' holds no cell of the table"});
    share(event, weight, one.value);
  }

  /// What is left goes to the cells that nothing was said about.
  [[nodiscard]] std::vector<double> settled() {
    constexpr double kRounding = 1e-6;  // of probabilities written with six digits
    std::vector<bool> open(values_.size());
    double weight = 0;
    double given = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      open[i] = values_[i] == kOpen;
      (open[i] ? weight : given) += open[i] ? model_.alpha[i] : values_[i];
    }
    if (given > 1 + kRounding || (weight == 0 && given < 1 - kRounding)) {
      throw Error(ErrorCode::bad_option, {"at: the probabilities of all cells sum to 1, and these do not"});
    }
    if (weight > 0) share(open, weight, std::max(0.0, 1 - given));
    const double total = std::accumulate(values_.begin(), values_.end(), 0.0);
    for (double& value : values_) value /= total;
    return values_;
  }

 private:
  static constexpr double kOpen = -1;

  void share(const std::vector<bool>& among, double weight, double probability) {
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (among[i]) values_[i] = probability * model_.alpha[i] / weight;
    }
  }
  [[nodiscard]] std::vector<bool> event_of(const std::string& what) const {
    for (const infer::CellQuantity& one : model_.quantities) {
      if (one.name != what) continue;
      std::vector<bool> event(values_.size());
      event[one.cell] = true;
      return event;
    }
    infer::Query query = infer::parse_query(what, study_);
    if (std::find(query.given.begin(), query.given.end(), false) != query.given.end()) {
      throw Error(
          ErrorCode::bad_option,
          {"at: '", from_option(what),
           "' is a conditional probability and settles no cell; give joint ones, \"P(a = x, b = y)\""});
    }
    return std::move(query.event);
  }

  const model::Study& study_;
  infer::CountModel model_;
  std::vector<double> values_;
};

std::vector<double> cells_of(const model::Study& study, const std::string& text) {
  const std::string example = infer::make_count_model(study, {}).quantities.front().label + " 0.3";
  Cells cells(study);
  for (const Assumption& one : read_all(text, example)) cells.assume(one);
  return cells.settled();
}

}  // namespace

std::vector<double> parse_truth(const std::string& text, const model::Study& study) {
  if (!study.model.kind().has_posterior())
    throw Error(ErrorCode::bad_option, {"at: a study of quantiles has no parameters to assume"});
  if (const auto* number = study.model.as<model::Number>()) return truth_of(*number, study, text);
  if (const auto* vector = study.model.as<model::MultivariateNormal>()) return truth_of(*vector, study, text);
  const std::vector<double> cells = cells_of(study, text);
  const auto* one = study.model.as<model::Bernoulli>();
  return one != nullptr ? std::vector<double>{cells[one->success]} : cells;
}

}  // namespace postern::assess
