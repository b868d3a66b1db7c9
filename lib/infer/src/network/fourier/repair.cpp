#include <algorithm>

#include "postern/infer/network/fourier.hpp"
#include "postern/model/helmert.hpp"

namespace postern::infer {

Rational FourierTable::cell(std::size_t index) const {
  Rational out(numerators[index], denominator);
  out.canonicalize();
  return out;
}

std::vector<Rational> NoisyCoefficients::table(const Family& family, const Rational& total,
                                               const Rational& shrinkage) {
  std::vector<Rational> cells = family.coefficients;
  for (Rational& one : cells) one *= shrinkage;
  cells[0] = total;
  std::size_t inner = 1;
  for (std::size_t axis = family.sizes.size(); axis-- > 0;) {
    const std::size_t levels = family.sizes[axis];
    for (std::size_t start = 0; start < cells.size(); start += levels * inner) {
      for (std::size_t at = start; at < start + inner; ++at) {
        // Level x has 1 of every contrast above x and -x of its own, each over its norm (fourier/cost.md).
        Rational above = cells[at] / static_cast<unsigned long>(levels);
        for (std::size_t x = levels; x-- > 1;) {
          const Rational own = cells[at + x * inner] / static_cast<unsigned long>(x + 1);
          cells[at + x * inner] = above - own;
          above += own / static_cast<unsigned long>(x);
        }
        cells[at] = above;
      }
    }
    inner *= levels;
  }
  return cells;
}

Rational NoisyCoefficients::least_increment() const {
  Rational least = 0;
  for (const Family& family : families_) {
    const std::vector<Rational> cells = table(family, total_, 1);
    const Rational lowest = *std::min_element(cells.begin(), cells.end());
    least = std::max(least, Rational(-lowest * static_cast<unsigned long>(cells.size())));
  }
  return least;
}

Rational NoisyCoefficients::largest_shrinkage() const {
  if (sgn(total_) <= 0) return least_increment() == 0 ? 1 : 0;
  Rational largest = 1;
  for (const Family& family : families_) {
    const std::vector<Rational> cells = table(family, total_, 1);
    const Rational lowest = *std::min_element(cells.begin(), cells.end());
    if (sgn(lowest) >= 0) continue;
    const Rational scaled = lowest * static_cast<unsigned long>(cells.size());
    largest = std::min(largest, Rational(total_ / (total_ - scaled)));
  }
  return largest;
}

std::vector<FourierTable> NoisyCoefficients::repaired(const Rational& increment,
                                                      const Rational& shrinkage) const {
  std::vector<FourierTable> out;
  for (const Family& family : families_) {
    const std::vector<Rational> cells = table(family, total_ + increment, shrinkage);
    FourierTable& one = out.emplace_back();
    for (const Rational& value : cells) one.denominator = lcm(one.denominator, value.get_den());
    for (const Rational& value : cells)
      one.numerators.push_back(value.get_num() * (one.denominator / value.get_den()));
  }
  return out;
}

std::vector<FourierTable> NoisyCoefficients::repaired() const {
  return known_ ? repaired(0, largest_shrinkage()) : repaired(least_increment(), 1);
}

}  // namespace postern::infer
