#include <cmath>

#include "postern/model/kinds/multivariate_normal.hpp"

namespace postern::model {
namespace {

std::vector<double> in_doubles(const std::vector<Rational>& numbers) {
  std::vector<double> out;
  out.reserve(numbers.size());
  for (const Rational& number : numbers) out.push_back(number.get_d());
  return out;
}

}  // namespace

MultivariateNormal with_prior(MultivariateNormal model, const std::vector<Rational>& numbers) {
  const auto begin = numbers.begin();
  const auto d = static_cast<std::ptrdiff_t>(model.columns.size());
  model.mean.assign(begin, begin + d);
  model.weight = begin[d];
  model.degrees = begin[d + 1];
  model.scale.assign(begin + d + 2, numbers.end());
  model.learned = false;
  return model;
}

WishartPrior wishart_prior(const MultivariateNormal& model) {
  return {in_doubles(model.mean), model.weight.get_d(), model.degrees.get_d(), in_doubles(model.scale),
          model.loose};
}

std::vector<Parameter> vector_parameters(const MultivariateNormal& model) {
  const std::vector<std::string>& columns = model.columns;
  std::vector<Parameter> out;
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.push_back({"mu." + std::to_string(i + 1), "mean of " + columns[i]});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i; j < columns.size(); ++j) {
      out.push_back(
          {"Sigma." + std::to_string(i + 1) + "." + std::to_string(j + 1),
           i == j ? "variance of " + columns[i] : "covariance of " + columns[i] + " and " + columns[j]});
    }
  }
  return out;
}

std::vector<double> parameter_values(const VectorTheta& theta) {
  std::vector<double> out = theta.mean;
  const std::size_t d = theta.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) out.push_back(theta.covariance[i * d + j]);
  }
  return out;
}

VectorTheta vector_theta(const std::vector<double>& values, std::size_t d) {
  VectorTheta theta;
  theta.mean.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(d));
  theta.covariance.resize(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j)
      theta.covariance[i * d + j] = theta.covariance[j * d + i] = values[d + packed_place(i, j, d)];
  }
  theta.root = cholesky(theta.covariance, d);
  return theta;
}

}  // namespace postern::model
