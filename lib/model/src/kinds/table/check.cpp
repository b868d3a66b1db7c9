#include "kinds/table/check.hpp"

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostColumns = 16;

/// A table's column is written as `column` where it is alone.
StudyPlace place_of_column(const std::vector<std::string>& columns, std::size_t i) {
  if (columns.size() == 1) return {{"model", "column"}};
  return {{"model", "columns"}, i};
}

}  // namespace

void check_bernoulli(const Bernoulli& model, const Schema& schema) {
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

void check_categorical(const Categorical& model, const Schema& schema) {
  if (model.columns.empty() || model.columns.size() > kMostColumns) {
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"family = \"categorical\" takes one to sixteen columns"});
  }
  check_different(model.columns);
  for (std::size_t i = 0; i < model.columns.size(); ++i)
    at_place(place_of_column(model.columns, i), [&] { static_cast<void>(schema.at(model.columns[i])); });
  const std::size_t cells = schema.domain(model.columns).cells();
  if (cells < 2 || cells > kMaxCells) {
    throw StudyError(place_of_column(model.columns, 0), ErrorCode::bad_value,
                     {"the model's table has ", public_number(static_cast<long long>(cells)),
                      " cells; it needs between 2 and ", public_number(static_cast<long long>(kMaxCells))});
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

Bernoulli read_bernoulli(Node& node, const Schema& schema) {
  node.allow({"kind", "family", "column", "success", "prior"});
  Bernoulli model;
  model.column = node.text("column");
  const Column& column = named_column(model.column, schema);
  if (node.states_all() || node.has("success")) model.success = node.level("success", column);
  if (states_numbers(node)) {
    const std::unique_ptr<Node> prior = node.inner("prior");
    prior->allow({"beta"});
    const std::vector<Rational> shape = prior->rationals("beta", 2);
    prior->finish();
    model.a = shape[0];
    model.b = shape[1];
  }
  return model;
}

Categorical read_categorical(Node& node, const Schema& schema) {
  Categorical model;
  bool alone = false;
  if (node.states_all()) {
    node.allow({"kind", "family", "columns", "prior"});
  } else {
    node.allow({"kind", "family", "column", "columns", "prior"});
    alone = node.has("column");
    if (alone == node.has("columns")) {
      node.refuse(ErrorCode::missing_key, "",
                  {"name the model's `column`, or up to sixteen `columns`, not both"});
    }
  }
  model.columns = alone ? std::vector<std::string>{node.text("column")} : node.texts("columns");
  for (std::size_t i = 0; i < model.columns.size(); ++i) {
    at_place(alone ? StudyPlace{{"model", "column"}} : StudyPlace{{"model", "columns"}, i},
             [&] { static_cast<void>(schema.at(model.columns[i])); });
  }
  const std::size_t cells = schema.domain(model.columns).cells();
  if (cells > kMaxCells) {
    node.refuse(ErrorCode::bad_value, alone ? "column" : "columns",
                {"make a table of more than ", public_number(static_cast<long long>(kMaxCells)),
                 " cells; cut the columns coarser"});
  }
  model.alpha.assign(cells, Rational(1));
  if (states_numbers(node)) {
    const std::unique_ptr<Node> prior = node.inner("prior");
    prior->allow({"dirichlet"});
    if (prior->is_list("dirichlet")) {
      model.alpha = prior->rationals("dirichlet");
    } else {
      model.alpha.assign(cells, prior->rational("dirichlet"));
    }
    prior->finish();
  }
  return model;
}

}  // namespace postern::model
