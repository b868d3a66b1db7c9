#include "postern/model/prior_weight.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/vector_family.hpp"

namespace postern::model {
namespace {

Bernoulli stated(Bernoulli model, const std::vector<Rational>& prior) {
  model.a = prior.at(0);
  model.b = prior.at(1);
  return model;
}
Categorical stated(Categorical model, const std::vector<Rational>& prior) {
  const bool one_for_all = prior.size() == 1;
  for (std::size_t cell = 0; cell < model.alpha.size(); ++cell)
    model.alpha[cell] = prior.at(one_for_all ? 0 : cell);
  return model;
}
Number stated(Number model, const std::vector<Rational>& prior) {
  model.prior = prior;
  return model;
}
Quantiles stated(Quantiles model, const std::vector<Rational>& /*prior*/) { return model; }
MultivariateNormal stated(MultivariateNormal model, const std::vector<Rational>& prior) {
  return with_prior(std::move(model), prior);
}

double records(const Bernoulli& model) { return Rational(model.a + model.b).get_d(); }
double records(const Categorical& model) {
  double sum = 0;
  for (const Rational& alpha : model.alpha) sum += alpha.get_d();
  return sum;
}
double records(const Number& model) {
  return find_number_family(model.family)->prior_records(model.known, model.prior).get_d();
}
double records(const Quantiles& /*model*/) { return 0; }
double records(const MultivariateNormal& model) {
  return std::max<Rational>(model.weight, model.degrees).get_d();
}

std::vector<Rational> times(std::vector<Rational> numbers, const Rational& factor) {
  for (Rational& number : numbers) number *= factor;
  return numbers;
}

std::vector<Rational> scaled(const Bernoulli& model, const Rational& factor) {
  return times({model.a, model.b}, factor);
}
std::vector<Rational> scaled(const Categorical& model, const Rational& factor) {
  return times(model.alpha, factor);
}
std::vector<Rational> scaled(const Number& model, const Rational& factor) {
  const NumberFamily& family = *find_number_family(model.family);
  std::vector<Rational> out = times(model.prior, factor);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (family.prior_numbers[i].name == "mean") out[i] = model.prior[i];
    if (family.prior_numbers[i].name == "variance") out[i] = model.prior[i] / factor;
  }
  return out;
}
std::vector<Rational> scaled(const Quantiles& /*model*/, const Rational& /*factor*/) {
  throw Error(ErrorCode::bad_prior, {"a study of quantiles has no prior"});
}
std::vector<Rational> scaled(const MultivariateNormal& model, const Rational& factor) {
  // Degrees stay above d - 1, and the scale goes with them.
  const Rational least = static_cast<long>(model.columns.size()) - 1;
  const Rational degrees = least + (model.degrees - least) * factor;
  std::vector<Rational> out = model.mean;
  out.emplace_back(model.weight * factor);
  out.push_back(degrees);
  for (const Rational& entry : model.scale) out.emplace_back(entry * degrees / model.degrees);
  return out;
}

}  // namespace

Model with_numbers(Model model, const std::vector<Rational>& prior) {
  return std::visit([&](auto& one) -> Model { return stated(std::move(one), prior); }, model);
}

double prior_records(const Model& model) {
  return std::visit([](const auto& one) { return records(one); }, model);
}

std::vector<Rational> scaled_prior(const Model& model, const Rational& factor) {
  return std::visit([&](const auto& one) { return scaled(one, factor); }, model);
}

}  // namespace postern::model
