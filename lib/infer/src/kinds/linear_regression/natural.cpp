#include "natural.hpp"

#include "postern/model/kinds/linear_regression.hpp"

namespace postern::infer {

void take_natural_units(ChainRun& run, const model::Study& study, std::size_t draws) {
  const auto& model = study.model.get<model::LinearRegression>();
  const std::size_t coefficients = model::regression_entries(model, study.schema).size();
  model::RegressionTheta theta;
  theta.beta.resize(coefficients);
  for (std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) {
      for (std::size_t q = 0; q < coefficients; ++q) theta.beta[q] = chain[q * draws + i];
      theta.sigma = chain[coefficients * draws + i];
      const std::vector<double> natural = model::natural_parameters(theta, model, study.schema);
      for (std::size_t q = 0; q < natural.size(); ++q) chain[q * draws + i] = natural[q];
    }
  }
}

double mean_quantity(const ChainRun& run, std::size_t quantity, std::size_t draws) {
  double sum = 0;
  for (const std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) sum += chain[quantity * draws + i];
  }
  return sum / static_cast<double>(draws * run.draws.size());
}

}  // namespace postern::infer
