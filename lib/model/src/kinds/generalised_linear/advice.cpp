#include "kinds/generalised_linear/advice.hpp"

#include <cmath>

#include "postern/model/kinds/generalised_linear.hpp"

namespace postern::model {
namespace {

constexpr double kDrowned = 0.3;

/// The deviation of noise on sums of products of two features, were they measured; near enough for advice.
std::optional<double> noise_of_products(const Study& study, const NoisePlan& plan) {
  Study whole = study;
  GeneralisedLinear model = study.model.get<GeneralisedLinear>();
  model.feature_products = true;
  whole.model = model;
  for (const Block& block : make_noise_plan(whole, plan.request.mechanism, plan.cost).measurement.blocks) {
    const auto* moments = block.statistic.as<Moments>();
    if (moments == nullptr || moments->part != MomentPart::xx) continue;
    const double parameter = block.noise.parameter.get_d();
    const bool gaussian = block.noise.kind == NoiseKind::discrete_gaussian;
    return moment_unit(*moments).get_d() * (gaussian ? std::sqrt(parameter) : std::sqrt(2.0) / parameter);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> advise_glm(const Study& study, const NoisePlan& plan,
                                    std::optional<std::int64_t> n) {
  const std::optional<double> noise = noise_of_products(study, plan);
  if (!noise) return {};
  if (!n || *n <= 0)
    return {"give n to hear whether the products of two features are worth their part of the budget"};
  const bool drowned = *noise > kDrowned * kGlmSpread * static_cast<double>(*n);
  const bool measured = study.model.get<GeneralisedLinear>().feature_products;
  if (drowned && measured)
    return {
        "products of two features would drown in noise: feature_products = false in [model] leaves them "
        "out and spends on the rest"};
  if (!drowned && !measured)
    return {
        "products of two features would be seen well: take feature_products = false out of [model]; "
        "without them features that go together are not told apart"};
  return {};
}

}  // namespace postern::model
