#include "study/encode/integer.hpp"

#include "study/encode/decimal.hpp"

namespace postern::model {
namespace {

// Ranges up to this length with cuts get one table entry for each number.
constexpr std::uint64_t kTable = 4096;

}  // namespace

IntegerMap::IntegerMap(const IntegerRange& range) : lo_(range.lo), hi_(range.hi), cuts_(range.cuts) {
  const auto length = static_cast<std::uint64_t>(hi_) - static_cast<std::uint64_t>(lo_) + 1;
  if (cuts_.empty() || length > kTable) return;
  for (std::int64_t value = lo_; value <= hi_; ++value) table_.push_back(count_cuts(cuts_, value));
}

std::uint32_t IntegerMap::level_of(std::int64_t value) const {
  if (value < lo_) return kBelow;
  if (value > hi_) return kAbove;
  const auto step = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(lo_);
  return cuts_.empty() ? static_cast<std::uint32_t>(step) : count_cuts(cuts_, value);
}

std::uint32_t IntegerMap::locate(std::string_view text) const {
  const std::string_view core = trim(text);
  if (const auto number = parse_short(core); number && number->places == 0) {
    return level_of(number->digits);
  }
  const auto number = Decimal::parse(core);
  if (!number) return locate_word(core);
  if (number->zero()) return level_of(0);
  if (!number->whole()) return kMissing;
  if (number->point() > static_cast<std::int64_t>(kShortDigits)) return number->negative() ? kBelow : kAbove;
  std::int64_t value = 0;
  for (std::int64_t i = 0; i < number->point(); ++i) {
    value = value * 10 + number->digit(static_cast<std::size_t>(i));
  }
  return level_of(number->negative() ? -value : value);
}

}  // namespace postern::model
