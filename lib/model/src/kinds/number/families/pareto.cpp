// P(x > v) = (minimum / v)^rate from a known minimum on, so log x - log minimum ~ Exponential(rate).

#include <cmath>

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/rate_family.hpp"

namespace postern::model {
namespace {

RateScale pareto_scale(std::span<const Rational> known, StatisticRange range) {
  return {1, range.hi - std::log(known[0].get_d()), 1};
}

}  // namespace

NumberFamily pareto_family() {
  NumberFamily family = rate_family("pareto");
  family.known = {{"minimum"}};
  family.least = 0;
  family.labels = {"tail index of"};
  family.transform = sum_logarithms;
  family.law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
    return std::make_shared<GammaLaw>(1, std::log(known[0].get_d()));
  };
  learn_rates<pareto_scale>(family);
  return family;
}

}  // namespace postern::model
