#include "postern/model/planning_law.hpp"

#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/number_family.hpp"

namespace postern::model {
namespace {

std::string number_law(const std::string& family) {
  if (family == "binomial") return "any probability as likely as any other";
  if (family == "normal-mean") return "a mean about the middle of the range, give or take a fifth of it";
  if (find_number_family(family)->squares)
    return "a mean about the middle of the range, a standard deviation of about a fifth of it";
  return "a mean of about a fifth of the upper bound";
}

template <class... Kinds>
bool is_one_of(const Model& model) {
  return ((model.as<Kinds>() != nullptr) || ...);
}

}  // namespace

std::string planning_law(const Model& model) {
  if (!model.kind().learned_prior(model)) return "";
  if (const auto* number = model.as<Number>()) return number_law(number->family);
  if (model.as<LinearRegression>() != nullptr)
    return "R^2 about 1/3, standard deviations of about a sixth of the range";
  if (is_one_of<Bernoulli, Categorical, BayesNet, MarkovNet, MarkovChain>(model))
    return "one record a cell, spread evenly";
  return "moderate effects and standard deviations";
}

std::string truths_text(const Model& model) {
  const std::string law = planning_law(model);
  return law.empty() ? "the prior" : "the planning law: " + law;
}

}  // namespace postern::model
