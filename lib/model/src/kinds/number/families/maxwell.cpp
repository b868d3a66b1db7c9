// The length of three normal numbers of variance 1 / (2 rate), so x^2 ~ Gamma(3/2, rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale maxwell_scale(std::span<const Rational> /*known*/, StatisticRange range) {
  return {1.5, range.hi, 2};
}

}  // namespace

NumberFamily maxwell_family() {
  NumberFamily family = rate_family("maxwell");
  family.transform = sum_squares;
  family.prior_records = [](std::span<const Rational> /*known*/,
                            std::span<const Rational> prior) -> Rational { return prior[0] * 2 / 3; };
  family.law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(1.5);
  };
  learn_rates<maxwell_scale>(family);
  return family;
}

}  // namespace postern::model
