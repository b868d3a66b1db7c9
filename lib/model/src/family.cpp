#include "postern/model/family.hpp"

#include "postern/model/number_family.hpp"
#include "postern/model/study_error.hpp"

#include "number_check.hpp"
#include "vector_check.hpp"

namespace postern::model {
namespace {

const Column& named_column(const std::string& name, const Schema& schema) {
  return at_place({{"model", "column"}}, [&]() -> const Column& { return schema.at(name); });
}

/// A table's column is written as `column` where it is alone.
StudyPlace place_of_column(const std::vector<std::string>& columns, std::size_t i) {
  if (columns.size() == 1) return {{"model", "column"}};
  return {{"model", "columns"}, i};
}

void check(const Bernoulli& model, const Schema& schema) {
  const Column& column = named_column(model.column, schema);
  if (column.levels() != 2) {
    throw StudyError(
        {{"model", "column"}}, ErrorCode::bad_value,
        {"family = \"bernoulli\" needs a column with two levels, and '", from_study(model.column), "' has ",
         public_number(column.levels()), "; use family = \"categorical\""});
  }
  if (model.success > 1)
    throw StudyError({{"model", "success"}}, ErrorCode::bad_value,
                     {"`success` is not a level of the column"});
  at_place({{"model", "prior", "beta"}, 0}, [&] { check_prior_parameter(model.a); });
  at_place({{"model", "prior", "beta"}, 1}, [&] { check_prior_parameter(model.b); });
}

void check(const Categorical& model, const Schema& schema) {
  if (model.columns.empty() || model.columns.size() > 3) {
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"family = \"categorical\" takes one to three columns"});
  }
  check_different(model.columns);
  for (std::size_t i = 0; i < model.columns.size(); ++i)
    at_place(place_of_column(model.columns, i), [&] { static_cast<void>(schema.at(model.columns[i])); });
  const std::size_t cells = schema.domain(model.columns).cells();
  if (cells < 2 || cells > kMaxLevels) {
    throw StudyError(place_of_column(model.columns, 0), ErrorCode::bad_value,
                     {"the model's table has ", public_number(static_cast<long long>(cells)),
                      " cells; it needs between 2 and 1048576"});
  }
  if (model.alpha.size() != cells) {
    throw StudyError({{"model", "prior", "dirichlet"}}, ErrorCode::bad_prior,
                     {"the Dirichlet prior has ", public_number(static_cast<long long>(model.alpha.size())),
                      " parameters and the table ", public_number(static_cast<long long>(cells)), " cells"});
  }
  std::size_t cell = 0;
  try {
    for (; cell < cells; ++cell) check_prior_parameter(model.alpha[cell]);
  } catch (const Error& error) {
    throw StudyError({{"model", "prior", "dirichlet"}, cell}, error);
  }
}

void check(const Quantiles& model, const Schema& schema) {
  const Column& column = named_column(model.column, schema);
  if (std::holds_alternative<Categories>(column.values)) {
    throw StudyError(
        {{"model", "column"}}, ErrorCode::bad_value,
        {"quantiles need a column of numbers, and '", from_study(model.column), "' has categories"});
  }
  if (model.at.empty() || model.at.size() > 8)
    throw StudyError({{"model", "at"}}, ErrorCode::bad_value,
                     {"`at` names one to eight quantiles, such as [\"0.05\", \"0.95\"]"});
  Rational last = 0;
  for (std::size_t i = 0; i < model.at.size(); ++i) {
    const Rational& at = model.at[i];
    if (at <= last || at >= 1 || at.get_den() > 1'000'000) {
      throw StudyError({{"model", "at"}, i}, ErrorCode::bad_value,
                       {"`at` holds ", from_study(to_decimal(at)),
                        "; quantiles rise between 0 and 1 and have at most 6 decimals"});
    }
    last = at;
  }
}

void check(const Number& model, const Schema& schema) {
  check_number(model, named_column(model.column, schema));
}
void check(const MultivariateNormal& model, const Schema& schema) { check_vector(model, schema); }

std::vector<std::string> names_of_columns(const Bernoulli& model) { return {model.column}; }
std::vector<std::string> names_of_columns(const Categorical& model) { return model.columns; }
std::vector<std::string> names_of_columns(const Number& model) { return {model.column}; }
std::vector<std::string> names_of_columns(const MultivariateNormal& model) { return model.columns; }
std::vector<std::string> names_of_columns(const Quantiles& model) { return {model.column}; }

std::string name_of(const Bernoulli& /*model*/) { return "bernoulli"; }
std::string name_of(const Categorical& /*model*/) { return "categorical"; }
std::string name_of(const Quantiles& /*model*/) { return "quantiles"; }
std::string name_of(const Number& model) { return model.family; }
std::string name_of(const MultivariateNormal& /*model*/) { return "multivariate-normal"; }

}  // namespace

void check_model(const Model& model, const Schema& schema) {
  std::visit([&](const auto& m) { check(m, schema); }, model);
}

std::vector<std::string> columns_of(const Model& model) {
  return std::visit([](const auto& m) { return names_of_columns(m); }, model);
}

std::string all_families() {
  std::string names = "bernoulli, categorical, multivariate-normal";
  for (const NumberFamily& family : number_families()) names += ", " + std::string(family.name);
  return names;
}

std::string family_name(const Model& model) {
  return std::visit([](const auto& m) { return name_of(m); }, model);
}

}  // namespace postern::model
