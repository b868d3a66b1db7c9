// x ~ Gamma(shape, rate), shape known, rate ~ Gamma(shape, rate).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale gamma_scale(std::span<const Rational> known, StatisticRange range) {
  return {known[0].get_d(), range.hi, 1};
}

}  // namespace

NumberFamily gamma_family() {
  NumberFamily family = rate_family("gamma");
  family.known = {{"shape"}};
  family.prior_records = [](std::span<const Rational> known, std::span<const Rational> prior) -> Rational {
    return prior[0] / known[0];
  };
  family.law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(known[0].get_d());
  };
  learn_rates<gamma_scale>(family);
  return family;
}

}  // namespace postern::model
