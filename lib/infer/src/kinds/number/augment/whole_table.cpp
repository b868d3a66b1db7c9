#include "postern/infer/kinds/number/augment/whole_table.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kNothing = 1e-17;
constexpr std::size_t kMostReach = 4096;
constexpr std::size_t kDrawsPerValue = 12;  ///< a value costs up to 300 ns, a draw saves 30

/// Between a place where it holds and one where it does not, the last whole number where it holds.
template <class Holds>
double last_that(double holds, double fails, const Holds& test) {
  while (std::abs(fails - holds) > 1) {
    const double middle = std::floor((holds + fails) / 2);
    (test(middle) ? holds : fails) = middle;
  }
  return holds;
}

}  // namespace

bool WholeTable::fill(const model::NumberLaw& law, const model::Theta& theta, std::size_t draws) {
  const auto reach = static_cast<double>(std::min(draws / kDrawsPerValue, kMostReach));
  const double mean = law.moments(theta).mean;
  if (reach < 4 || !(mean >= 0 && mean < 0x1p50)) return false;
  const auto nothing_below = [&](double x) { return x <= 0 || law.tails(theta, x).below < kNothing; };
  const auto nothing_above = [&](double x) { return law.tails(theta, x).above < kNothing; };
  const double centre = std::floor(mean);
  const double lowest = std::max(0.0, centre - reach);
  const double highest = centre + reach;
  if (!nothing_below(lowest) || !nothing_above(highest)) return false;
  first_ = nothing_below(centre) ? centre : last_that(lowest, centre, nothing_below);
  const double end = nothing_above(centre + 1) ? centre + 1 : last_that(highest, centre + 1, nothing_above);

  const auto values = static_cast<std::size_t>(end - first_);
  cdf_.resize(values);
  for (std::size_t i = 0; i < values; ++i)
    cdf_[i] = law.tails(theta, first_ + static_cast<double>(i) + 1).below;
  cdf_.back() = 2;
  guide_.resize(2 * values);
  guides_ = static_cast<double>(guide_.size());
  std::size_t i = 0;
  for (std::size_t g = 0; g < guide_.size(); ++g) {
    while (cdf_[i] <= static_cast<double>(g) / guides_) ++i;
    guide_[g] = static_cast<std::uint16_t>(i);
  }
  return true;
}

}  // namespace postern::infer
