#include "truth.hpp"

#include "postern/core/error.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"

#include "query/assumption.hpp"

namespace postern::infer {

std::vector<double> vector_truth(const std::string& text, const model::Study& study) {
  const auto& model = study.model.get<model::MultivariateNormal>();
  std::vector<NamedParameter> parameters;
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

}  // namespace postern::infer
