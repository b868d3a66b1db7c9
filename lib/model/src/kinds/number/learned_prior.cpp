#include "postern/model/encoded_number.hpp"
#include "postern/model/number_family.hpp"

#include "kinds/number/learned_law.hpp"

namespace postern::model {

StatisticRange statistic_range(const EncodedNumber& number) {
  const LevelValues& values = number.values;
  return {values.zero + values.unit * static_cast<double>(values.adds.front()),
          values.zero + values.unit * static_cast<double>(values.adds.back())};
}

LawWithPrior learned_prior(const NumberFamily& family, std::span<const Rational> known, StatisticRange range,
                           double scale) {
  std::vector<PriorTerm> terms = family.learned(known, range, scale);
  if (!family.squares) return {std::make_shared<LearnedLaw>(family.law(known), std::move(terms)), {}};
  const double middle = 0.5 * (range.lo + range.hi);
  return {std::make_shared<LearnedNormal>(std::move(terms)), {middle, 0, 0, 0, 0.5 * (range.hi - range.lo)}};
}

}  // namespace postern::model
