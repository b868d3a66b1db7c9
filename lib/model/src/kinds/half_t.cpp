#include "postern/model/half_t.hpp"

#include <algorithm>
#include <memory>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"

namespace postern::model {

HalfT usual_half_t(std::size_t columns) {
  HalfT out;
  out.degrees = std::max(2L, 2 * static_cast<long>(columns) - 6);
  return out;
}

HalfT read_half_t(Node& named, std::size_t columns) {
  HalfT out = usual_half_t(columns);
  const std::unique_ptr<Node> prior = named.inner("half-t");
  prior->allow({"weight", "degrees", "spread"});
  if (prior->states_all() || prior->has("weight")) out.weight = prior->rational("weight");
  if (prior->states_all() || prior->has("degrees")) out.degrees = prior->rational("degrees");
  if (prior->states_all() || prior->has("spread")) out.spread = prior->rational("spread");
  prior->finish();
  return out;
}

JsonValue write_half_t(const HalfT& prior) {
  return json_object({{"half-t", json_object({{"degrees", json_rational(prior.degrees)},
                                              {"spread", json_rational(prior.spread)},
                                              {"weight", json_rational(prior.weight)}})}});
}

void check_half_t(const HalfT& prior) {
  const auto place = [](const char* key) { return StudyPlace{{"model", "prior", "half-t", key}}; };
  at_place(place("weight"), [&] { check_prior_parameter(prior.weight); });
  at_place(place("degrees"), [&] { check_prior_parameter(prior.degrees); });
  at_place(place("spread"), [&] { check_prior_parameter(prior.spread); });
  if (prior.degrees < 1 || prior.degrees > 1000)
    throw StudyError(place("degrees"), ErrorCode::bad_prior,
                     {"the prior's `degrees` is ", from_study(to_decimal(prior.degrees)),
                      "; it must lie between 1 and 1000"});
  if (prior.spread < Rational(1, 100) || prior.spread > 100)
    throw StudyError(place("spread"), ErrorCode::bad_prior,
                     {"the prior's `spread` is ", from_study(to_decimal(prior.spread)),
                      "; it is in halves of the columns' ranges and must lie between 0.01 and 100"});
}

PriorWords half_t_words() { return {"half-t", 3, "weight, degrees, spread"}; }

HalfT half_t(const std::vector<Rational>& numbers) { return {numbers.at(0), numbers.at(1), numbers.at(2)}; }

std::vector<Rational> scaled_half_t(const HalfT& prior, const Rational& factor) {
  // Fewer than one degree is no prior that chains can follow.
  const Rational degrees = std::max<Rational>(1, prior.degrees * factor);
  return {prior.weight * factor, degrees, prior.spread};
}

Rational mean_scale(const HalfT& prior) { return prior.degrees * prior.spread * prior.spread; }

}  // namespace postern::model
