#include "truth.hpp"

#include <utility>

#include "postern/core/error.hpp"

#include "query/assumption.hpp"

namespace postern::infer {

std::vector<double> regression_truth(const std::string& text, const model::Study& study) {
  std::vector<NamedParameter> parameters;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    const bool required = one.name == "sigma";
    std::vector<std::string> words{std::move(one.label)};
    if (words.front() != one.name) words.push_back(std::move(one.name));
    parameters.push_back({std::move(words), required, {}});
  }
  std::vector<double> values = read_values(text, std::move(parameters));
  if (!(values.back() > 0)) refuse_value("sigma", "a number above 0");
  return values;
}

}  // namespace postern::infer
