#include "truth.hpp"

#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"

#include "query/assumption.hpp"

namespace postern::infer {

std::vector<double> number_truth(const std::string& text, const model::Study& study) {
  const auto& model = study.model.get<model::Number>();
  const model::NumberFamily& family = *model::find_number_family(model.family);
  std::vector<NamedParameter> parameters;
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

}  // namespace postern::infer
