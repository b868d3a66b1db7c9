#include <algorithm>
#include <array>

#include "postern/core/int128.hpp"

#include "encode_decimal.hpp"
#include "encode_maps.hpp"

namespace postern::model {
namespace {

// Digits that always fit in 64 bits.
constexpr std::size_t kShort = 18;
// Ranges up to this length with cuts get one table entry for each number.
constexpr std::uint64_t kTable = 4096;

constexpr std::array<std::int64_t, kShort + 1> kPowers = [] {
  std::array<std::int64_t, kShort + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// The number in eight bytes of decimal digits, first digit in the lowest byte.
std::uint64_t digits_to_number(std::uint64_t text) {
  text = (text & 0x0F0F0F0F0F0F0F0Fu) * 2561 >> 8;      // pairs: 10 a + b
  text = (text & 0x00FF00FF00FF00FFu) * 6553601 >> 16;  // fours
  return (text & 0x0000FFFF0000FFFFu) * 42949672960001u >> 32;
}

bool all_digits(std::uint64_t text) {
  return (((text + 0x4646464646464646u) | (text - 0x3030303030303030u)) & 0x8080808080808080u) == 0;
}

std::uint32_t unreadable_or_infinite(std::string_view text) {
  const int side = parse_infinity(text);
  return side == 0 ? kMissing : (side < 0 ? kBelow : kAbove);
}

/// [-] digits [. digits] with 1 to 18 digits: the digits as one number, and how many are behind the point.
struct ShortNumber {
  std::int64_t digits = 0;
  int places = 0;
};
std::optional<ShortNumber> parse_short(const char* text, std::size_t size) {
  const bool negative = size > 0 && text[0] == '-';
  ShortNumber number;
  std::size_t count = 0;
  bool point = false;
  if (size > kShort + 2) return std::nullopt;
  for (std::size_t i = negative ? 1 : 0; i < size; ++i) {
    const auto digit = static_cast<unsigned>(text[i]) - '0';
    if (digit <= 9) {
      number.digits = number.digits * 10 + digit;
      number.places += point ? 1 : 0;
      ++count;
    } else if (text[i] == '.' && !point) {
      point = true;
    } else {
      return std::nullopt;
    }
  }
  if (count == 0 || count > kShort) return std::nullopt;
  if (negative) number.digits = -number.digits;
  return number;
}

}  // namespace

IntegerMap::IntegerMap(const IntegerRange& range) : lo_(range.lo), hi_(range.hi), cuts_(range.cuts) {
  const auto length = static_cast<std::uint64_t>(hi_) - static_cast<std::uint64_t>(lo_) + 1;
  if (cuts_.empty() || length > kTable) return;
  for (std::int64_t value = lo_; value <= hi_; ++value) {
    table_.push_back(
        static_cast<std::uint32_t>(std::upper_bound(cuts_.begin(), cuts_.end(), value) - cuts_.begin()));
  }
}

std::uint32_t IntegerMap::level_of(std::int64_t value) const {
  if (value < lo_) return kBelow;
  if (value > hi_) return kAbove;
  const auto step = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(lo_);
  if (!table_.empty()) return table_[step];
  if (cuts_.empty()) return static_cast<std::uint32_t>(step);
  return static_cast<std::uint32_t>(std::upper_bound(cuts_.begin(), cuts_.end(), value) - cuts_.begin());
}

std::uint32_t IntegerMap::locate_padded(const char* text, std::size_t size) const {
  if (std::endian::native == std::endian::little && size - 1 < FieldKey::kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, text + size - FieldKey::kWord, FieldKey::kWord);
    // The bytes before the field become leading zeros.
    const auto before = static_cast<unsigned>(8 * (FieldKey::kWord - size));
    const std::uint64_t keep = ~std::uint64_t{0} << before;
    word = (word & keep) | (0x3030303030303030u & ~keep);
    if (all_digits(word)) return level_of(static_cast<std::int64_t>(digits_to_number(word)));
  }
  return locate({text, size});
}

std::uint32_t IntegerMap::locate(std::string_view text) const {
  const std::string_view core = trim(text);
  if (const auto number = parse_short(core.data(), core.size()); number && number->places == 0) {
    return level_of(number->digits);
  }
  const auto number = Decimal::parse(core);
  if (!number) return unreadable_or_infinite(core);
  if (number->zero()) return level_of(0);
  if (!number->whole()) return kMissing;
  if (number->point() > static_cast<std::int64_t>(kShort)) return number->negative() ? kBelow : kAbove;
  std::int64_t value = 0;
  for (std::int64_t i = 0; i < number->point(); ++i) {
    value = value * 10 + number->digit(static_cast<std::size_t>(i));
  }
  return level_of(number->negative() ? -value : value);
}

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
    return value.get_den() == 1 && abs(value.get_num()) < kPowers[kShort - 1];
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
  const auto& begins = units_.begins;
  return static_cast<std::uint32_t>(std::upper_bound(begins.begin(), begins.end(), x) - begins.begin());
}

std::uint32_t RealMap::locate_padded(const char* text, std::size_t size) const {
  return locate({text, size});
}

std::uint32_t RealMap::locate(std::string_view text) const {
  const std::string_view core = trim(text);
  if (units_.places >= 0) {
    if (const auto number = parse_short(core.data(), core.size())) {
      return locate_short(number->digits, number->places);
    }
  }
  const auto x = Decimal::parse(core);
  if (!x) return unreadable_or_infinite(core);
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
