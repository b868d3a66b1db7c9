#include "kinds/multivariate_normal/check.hpp"

#include "postern/model/encoded_number.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostColumns = 8;

void check_column_of(const Column& column) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  const bool uncut = (whole != nullptr && whole->cuts.empty()) || (real != nullptr && real->cuts.empty());
  if (!uncut) {
    throw Error(
        ErrorCode::bad_value,
        {"family = \"multivariate-normal\" needs columns that declare `real = [lo, hi]` and `grid`, or "
         "`integer = [lo, hi]`, without cuts, and '",
         from_study(column.name), "' does not"});
  }
  if (column.levels() < 2) {
    throw Error(ErrorCode::bad_value,
                {"column '", from_study(column.name), "' holds one number only: nothing can be learnt"});
  }
  if (std::holds_alternative<Drop>(column.outside)) {
    throw StudyError(
        {{"columns", column.name, "outside"}}, ErrorCode::bad_value,
        {"column '", from_study(column.name),
         "' drops records outside its range, which family = \"multivariate-normal\" cannot allow for; "
         "write outside = \"clamp\""});
  }
}

void check_columns(const MultivariateNormal& model, const Schema& schema) {
  if (model.columns.size() < 2 || model.columns.size() > kMostColumns) {
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"family = \"multivariate-normal\" takes two to eight columns"});
  }
  check_different(model.columns);
  for (std::size_t i = 0; i < model.columns.size(); ++i)
    at_place({{"model", "columns"}, i}, [&] { check_column_of(schema.at(model.columns[i])); });
}

StudyPlace prior_place(const char* key, std::optional<std::size_t> item = std::nullopt) {
  return {{"model", "prior", "normal-inverse-wishart", key}, item};
}

void check_size(const char* what, std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw StudyError(
      prior_place(what), ErrorCode::bad_prior,
      {"the prior's `", Piece(from_study(what)), "` has ", public_number(static_cast<long long>(given)),
       " numbers and the model needs ", public_number(static_cast<long long>(wanted))});
}

/// Positive definite: every pivot of the elimination is above 0, exactly; and not so near to 0 that engines,
/// which work in doubles, would see it as 0.
void check_definite(std::vector<Rational> scale, std::size_t d) {
  const Rational least(1, 1'000'000'000);
  for (std::size_t p = 0; p < d; ++p) {
    const Rational diagonal = scale[p * d + p];
    for (std::size_t q = 0; q < p; ++q) {
      const Rational& pivot = scale[q * d + q];
      scale[p * d + p] -= scale[p * d + q] * scale[p * d + q] / pivot;
      for (std::size_t r = p + 1; r < d; ++r) scale[r * d + p] -= scale[r * d + q] * scale[p * d + q] / pivot;
    }
    if (scale[p * d + p] < least * diagonal) {
      throw StudyError(prior_place("scale"), ErrorCode::bad_prior,
                       {"the prior's `scale` is not positive definite, or within a billionth of that: "
                        "covariances must be smaller beside the variances"});
    }
  }
}

void check_scale(const std::vector<Rational>& scale, std::size_t d) {
  check_size("scale", scale.size(), d * d);
  for (std::size_t i = 0; i < d; ++i) {
    at_place(prior_place("scale", i), [&] { check_prior_parameter(scale[i * d + i]); });
    for (std::size_t j = 0; j < i; ++j) {
      if (scale[i * d + j] != scale[j * d + i])
        throw StudyError(prior_place("scale", i), ErrorCode::bad_prior,
                         {"the prior's `scale` is not symmetric"});
    }
  }
  check_definite(scale, d);
}

}  // namespace

void check_vector(const MultivariateNormal& model, const Schema& schema) {
  check_columns(model, schema);
  const std::size_t d = model.columns.size();
  check_size("mean", model.mean.size(), d);
  constexpr long kMost = 1'000'000'000'000;
  for (std::size_t i = 0; i < d; ++i) {
    const Rational& mean = model.mean[i];
    if (abs(mean) > kMost) {
      throw StudyError(prior_place("mean", i), ErrorCode::bad_prior,
                       {"the prior's `mean` holds ", from_study(to_decimal(mean)),
                        "; it must lie in -1000000000000..1000000000000"});
    }
  }
  at_place(prior_place("weight"), [&] { check_prior_parameter(model.weight); });
  at_place(prior_place("degrees"), [&] { check_prior_parameter(model.degrees); });
  if (model.degrees <= static_cast<long>(d) - 1) {
    throw StudyError(prior_place("degrees"), ErrorCode::bad_prior,
                     {"the prior's `degrees` is ", from_study(to_decimal(model.degrees)), "; with ",
                      public_number(static_cast<long long>(d)), " columns it must be above ",
                      public_number(static_cast<long long>(d) - 1)});
  }
  check_scale(model.scale, d);
}

}  // namespace postern::model
