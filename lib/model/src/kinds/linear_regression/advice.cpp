#include "kinds/linear_regression/advice.hpp"

#include <cmath>

#include "postern/model/kinds/linear_regression.hpp"

#include "kinds/checks.hpp"

namespace postern::model {
namespace {

constexpr double kDrowned = 0.3;

/// The deviation of noise, near enough for advice.
double deviation(const Noise& noise) {
  if (noise.kind == NoiseKind::discrete_gaussian) return std::sqrt(noise.parameter.get_d());
  return std::sqrt(2.0) / noise.parameter.get_d();
}

/// Of the products of two features in sums of w_i w_j, if they were measured with the same budget and no
/// shares; nothing where there are none.
std::optional<double> noise_of_products(const Study& study, const NoisePlan& plan) {
  Study whole = study;
  LinearRegression model = study.model.get<LinearRegression>();
  model.feature_products = true;
  whole.model = model;
  const NoisePlan usual = make_noise_plan(whole, plan.request.mechanism, plan.cost);
  for (const Block& block : usual.measurement.blocks) {
    const auto* moments = block.statistic.as<Moments>();
    if (moments != nullptr && moments->part == MomentPart::xx)
      return deviation(block.noise) * moment_unit(*moments).get_d();
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> advise_regression(const Study& study, const NoisePlan& plan,
                                           std::optional<std::int64_t> n) {
  const auto& model = study.model.get<LinearRegression>();
  const std::optional<double> noise = noise_of_products(study, plan);
  if (!noise) return {};
  if (!n || *n <= 0) {
    return {
        "give n to hear whether the products of two features are worth their part of the budget, and "
        "which shares suit"};
  }
  const double signal = static_cast<double>(*n) * model.prior.spread.get_d();
  const bool drowned = *noise > kDrowned * signal;
  const std::string figures = "noise of " + with_commas(static_cast<std::size_t>(std::llround(*noise))) +
                              " beside some " + with_commas(static_cast<std::size_t>(std::llround(signal)));
  if (drowned && model.feature_products) {
    return {"products of two features would drown (" + figures +
            "): feature_products = false in [model] leaves them out and spends on the rest; shares y=6, x=3 "
            "and xy=3 go well with it"};
  }
  if (drowned && plan.request.shares.empty())
    return {"where products of two features are left out, shares y=6, x=3 and xy=3 predict better"};
  if (!drowned && !model.feature_products) {
    return {"products of two features would be seen well (" + figures +
            "): take feature_products = false out of [model]; without them features that go together are "
            "not told apart"};
  }
  return {};
}

}  // namespace postern::model
