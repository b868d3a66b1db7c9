// Density 2 rate x exp(-rate x^2), so x^2 ~ Exponential(rate); the usual sigma^2 is 1 / (2 rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale rayleigh_scale(std::span<const Rational> /*known*/, StatisticRange range) {
  return {1, range.hi, 2};
}

}  // namespace

NumberFamily rayleigh_family() {
  NumberFamily family = rate_family("rayleigh");
  family.transform = sum_squares;
  family.law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(1);
  };
  learn_rates<rayleigh_scale>(family);
  return family;
}

}  // namespace postern::model
