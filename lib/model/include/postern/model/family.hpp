#pragma once

#include <string>
#include <variant>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

/// x ~ Bernoulli(theta) where x = [column is at `success`]; theta ~ Beta(a, b).
struct Bernoulli {
  std::string column;
  std::uint32_t success = 1;
  Rational a = 1;
  Rational b = 1;
};

/// The joint level of one to three columns is Categorical(p); p ~ Dirichlet(alpha), one alpha a cell,
/// row-major.
struct Categorical {
  std::vector<std::string> columns;
  std::vector<Rational> alpha;
};

/// A number of one column, x ~ family(theta), with the conjugate prior of that family.
struct Number {
  std::string family;  ///< a name of number_families()
  std::string column;
  std::vector<Rational> known;  ///< in the order of the family's words, as is the prior
  std::vector<Rational> prior;
  bool count_inside = false;  ///< releases also how many records lie surely inside the column's range
};

/// Not a model of anything: quantiles of one column, chosen privately, from which an owner who cannot state
/// bounds takes those of a later study.
struct Quantiles {
  std::string column;
  std::vector<Rational> at;  ///< in (0, 1), rising
};

/// The numbers of two to eight columns are jointly Normal(mu, Sigma); Sigma ~ inverse-Wishart(degrees,
/// scale), mu | Sigma ~ Normal(mean, Sigma / weight).
struct MultivariateNormal {
  std::vector<std::string> columns;
  std::vector<Rational> mean;   ///< one a column
  Rational weight;              ///< records that the mean is worth
  Rational degrees;             ///< above columns - 1
  std::vector<Rational> scale;  ///< row-major, symmetric, positive definite
};

using Model = std::variant<Bernoulli, Categorical, Number, Quantiles, MultivariateNormal>;

/// Refuses columns that are not declared or do not suit the family, and priors out of range.
void check_model(const Model& model, const Schema& schema);
/// The columns whose levels the model reads.
[[nodiscard]] std::vector<std::string> columns_of(const Model& model);
/// Their names, for people: "bernoulli, categorical, ...".
[[nodiscard]] std::string all_families();
[[nodiscard]] std::string family_name(
    const Model& model);  // "bernoulli", "categorical", "poisson", "quantiles"

}  // namespace postern::model
