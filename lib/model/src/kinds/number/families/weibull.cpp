// P(x > v) = exp(-rate v^shape), shape known, so x^shape ~ Exponential(rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale weibull_scale(std::span<const Rational> known, StatisticRange range) {
  return {1, range.hi, known[0].get_d()};
}

}  // namespace

NumberFamily weibull_family() {
  NumberFamily family = rate_family("weibull");
  family.known = {{"shape"}};
  family.transform = [](std::span<const Rational> known) {
    return Transform{Transform::Kind::power, known[0]};
  };
  family.law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(1);
  };
  learn_rates<weibull_scale>(family);
  return family;
}

}  // namespace postern::model
