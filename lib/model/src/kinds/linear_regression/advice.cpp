#include "kinds/linear_regression/advice.hpp"

#include <cmath>

#include "postern/model/kinds/linear_regression.hpp"

#include "kinds/checks.hpp"
#include "kinds/linear_regression/blocks.hpp"

namespace postern::model {

std::vector<std::string> advise_regression(const Study& study, const NoisePlan& plan,
                                           std::optional<std::int64_t> n) {
  const auto& model = study.model.get<LinearRegression>();
  const Rational budget = plan.cost.exact();
  const std::optional<double> noise = noise_of_products(study, budget);
  if (!noise) return {};
  const auto figures = [&](double signal) {
    return "noise of " + with_commas(static_cast<std::size_t>(std::llround(*noise))) + " beside some " +
           with_commas(static_cast<std::size_t>(std::llround(signal)));
  };
  if (model.feature_products && products_surely_drown(study, budget)) {
    const double most = signal_of_products(study, static_cast<double>(*study.privacy.n_at_most));
    return {
        "products of two features would drown whatever n is (" + figures(most) +
        " at most): they have a twentieth of the usual precision, and sums of y, x and xy have 6, 3 and 3 "
        "times as much as usual; feature_products = false in [model] leaves them out altogether"};
  }
  if (!n || *n <= 0)
    return {"give n to hear whether the products of two features are worth their part of the budget"};
  const double signal = signal_of_products(study, static_cast<double>(*n));
  const bool drowned = products_drown(*noise, signal);
  if (drowned && model.feature_products) {
    return {"products of two features would drown (" + figures(signal) +
            "): feature_products = false in [model] leaves them out and spends on the rest"};
  }
  if (!drowned && !model.feature_products) {
    return {"products of two features would be seen well (" + figures(signal) +
            "): take feature_products = false out of [model]; without them features that go together are "
            "not told apart"};
  }
  return {};
}

}  // namespace postern::model
