// x ~ Exponential(rate), rate ~ Gamma(shape, rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale exponential_scale(std::span<const Rational> /*known*/, StatisticRange range) {
  return {1, range.hi, 1};
}

}  // namespace

NumberFamily exponential_family() {
  NumberFamily family = rate_family("exponential");
  family.law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(1);
  };
  learn_rates<exponential_scale>(family);
  return family;
}

}  // namespace postern::model
