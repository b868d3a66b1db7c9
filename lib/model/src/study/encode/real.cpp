#include "study/encode/real.hpp"

#include <array>

#include "postern/core/int128.hpp"

#include "study/encode/decimal.hpp"
#include "study/encode/integer.hpp"

namespace postern::model {
namespace {

constexpr std::array<std::int64_t, kShortDigits + 1> kPowers = [] {
  std::array<std::int64_t, kShortDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

}  // namespace

RealMap::RealMap(const RealRange& range) : range_(range), levels_(Column{"", range}.levels()) {
  find_units();
}

Rational RealMap::begin_of(std::uint32_t level) const {
  const Rational first =
      range_.cuts.empty() ? Rational(range_.lo + range_.grid * level) : range_.cuts[level - 1];
  return first - range_.grid / 2;
}

void RealMap::find_units() {
  constexpr int kMostPlaces = 9;
  // Bounds below 10^17 leave room for half a grid step and for doubling.
  const auto whole = [](const Rational& value) {
    return value.get_den() == 1 && abs(value.get_num()) < kPowers[kShortDigits - 1];
  };
  for (int places = 0; places <= kMostPlaces; ++places) {
    const Rational scale(kPowers[static_cast<std::size_t>(places)]);
    Units units{places, 0, 0, 0, {}};
    const Rational half = range_.grid * scale / 2;
    bool fits = whole(half) && whole(range_.lo * scale) && whole(range_.hi * scale);
    for (std::uint32_t level = 1; fits && !range_.cuts.empty() && level < levels_; ++level) {
      const Rational begin = begin_of(level) * scale;
      fits = whole(begin);
      if (fits) units.begins.push_back(begin.get_num().get_si());
    }
    if (!fits) continue;
    units.lo = Rational(range_.lo * scale).get_num().get_si();
    units.hi = Rational(range_.hi * scale).get_num().get_si();
    units.grid = Rational(range_.grid * scale).get_num().get_si();
    units_ = units;
    return;
  }
}

std::uint32_t RealMap::locate_short(std::int64_t digits, int places) const {
  // x = digits / 10^places. All bounds are multiples of the unit 10^-units_.places, so floor(x) in units
  // decides x >= bound, and whether anything was cut off decides x > hi.
  std::int64_t x = digits;
  bool rest = false;
  if (places < units_.places) {
    const Int128 wide = Int128{digits} * kPowers[static_cast<std::size_t>(units_.places - places)];
    if (wide < units_.lo) return kBelow;
    if (wide > units_.hi) return kAbove;
    x = static_cast<std::int64_t>(wide);
  } else if (places > units_.places) {
    const std::int64_t power = kPowers[static_cast<std::size_t>(places - units_.places)];
    x = digits / power;
    rest = digits % power != 0;
    if (rest && digits < 0) --x;
  }
  if (x < units_.lo) return kBelow;
  if (x > units_.hi || (x == units_.hi && rest)) return kAbove;
  if (range_.cuts.empty()) return static_cast<std::uint32_t>((x - units_.lo + units_.grid / 2) / units_.grid);
  return count_cuts(units_.begins, x);
}

std::uint32_t RealMap::locate(std::string_view text) const {
  const std::string_view core = trim(text);
  if (units_.places >= 0) {
    if (const auto number = parse_short(core)) {
      return locate_short(number->digits, number->places);
    }
  }
  const auto x = Decimal::parse(core);
  if (!x) return locate_word(core);
  if (compare(*x, range_.lo) < 0) return kBelow;
  if (compare(*x, range_.hi) > 0) return kAbove;
  std::uint32_t low = 0;         // x lies in level `low` or above it ...
  std::uint32_t high = levels_;  // ... and below level `high`
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (compare(*x, begin_of(middle)) >= 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace postern::model
