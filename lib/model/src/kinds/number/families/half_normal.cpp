// x = |z|, z normal about 0 with variance 1 / (2 rate), so x^2 ~ Gamma(1/2, rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale half_normal_scale(std::span<const Rational> /*known*/, StatisticRange range) {
  return {0.5, range.hi, 2};
}

}  // namespace

NumberFamily half_normal_family() {
  NumberFamily family = rate_family("half-normal");
  family.transform = sum_squares;
  family.prior_records = [](std::span<const Rational> /*known*/,
                            std::span<const Rational> prior) -> Rational { return 2 * prior[0]; };
  family.law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(0.5);
  };
  learn_rates<half_normal_scale>(family);
  return family;
}

}  // namespace postern::model
