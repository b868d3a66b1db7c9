#include "whole.hpp"

#include <algorithm>
#include <optional>

#include "postern/core/rational.hpp"
#include "postern/model/level_steps.hpp"

#include "spell.hpp"

namespace postern::owner {
namespace {

// Spans up to this length get one table entry for each number.
constexpr std::uint64_t kTable = 1 << 20;
constexpr std::uint64_t kLabelTable = 1 << 16;

Rational power_of_ten(int scale) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(scale < 0 ? -scale : scale));
  return scale < 0 ? Rational(1) / Rational(power) : Rational(power);
}

std::uint64_t span_of(std::int64_t begin, std::int64_t end) {
  return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
}

}  // namespace

WholeCodes::WholeCodes(const model::Column& column, const model::Encoder& encoder, int scale)
    : encoder_(encoder), scale_(scale) {
  if (const auto* categories = std::get_if<model::Categories>(&column.values)) {
    whole_ = 0;
    tabulate_labels(*categories);
    return;
  }
  take_steps(column);
  tabulate_steps();
  if (whole_ == 1) search_ = StepSearch(steps_);
}

void WholeCodes::take_steps(const model::Column& column) {
  const model::LevelSteps steps(column);
  const Rational unit = power_of_ten(scale_);
  if (steps.whole_only() && scale_ > 0) {
    // Past 10^18 no 64-bit number but 0 is a multiple.
    whole_ = scale_ <= 18 ? unit.get_num().get_si() : 0;
  }
  codes_.push_back(encoder_.encode(model::Field("-inf")));
  const auto add = [&](const Integer& step, std::uint32_t code) {
    if (step > INT64_MAX) return;
    if (step < INT64_MIN) {
      codes_.assign(1, code);
    } else {
      steps_.push_back(step.get_si());
      codes_.push_back(code);
    }
  };
  for (std::uint32_t level = 0; level < steps.levels(); ++level) add(ceil(steps.begin(level) * unit), level);
  add(floor(steps.top() * unit) + 1, encoder_.encode(model::Field("inf")));
}

void WholeCodes::tabulate_steps() {
  if (whole_ == 0 || steps_.empty() || span_of(steps_.front(), steps_.back()) > kTable) return;
  table_begin_ = steps_.front();
  table_.reserve(span_of(steps_.front(), steps_.back()));
  std::size_t passed = 0;
  for (std::int64_t value = table_begin_; value < steps_.back(); ++value) {
    while (steps_[passed] <= value) ++passed;
    table_.push_back(value % whole_ != 0 ? encoder_.missing() : codes_[passed]);
  }
}

/// Labels that spell numbers are looked up without spelling each record.
void WholeCodes::tabulate_labels(const model::Categories& categories) {
  const Rational unit = power_of_ten(scale_);
  std::optional<std::int64_t> least;
  std::int64_t most = 0;
  for (const std::string& label : categories.labels) {
    const auto number = parse_decimal(label);
    if (!number) continue;
    const Rational value = *number * unit;
    if (value.get_den() != 1 || !value.get_num().fits_slong_p()) continue;
    const std::int64_t whole = value.get_num().get_si();
    most = least ? std::max(most, whole) : whole;
    least = least ? std::min(*least, whole) : whole;
  }
  if (!least || most == INT64_MAX || span_of(*least, most) >= kLabelTable) return;
  std::vector<std::uint32_t> table;
  for (std::int64_t value = *least; value <= most; ++value) table.push_back(find(value));
  table_begin_ = *least;
  table_ = std::move(table);
}

std::uint32_t WholeCodes::find(std::int64_t value) const {
  if (whole_ == 0) {
    Speller speller;
    return encoder_.encode(model::Field(speller.spell(value, scale_)));
  }
  if (whole_ > 1 && value % whole_ != 0) return encoder_.missing();
  constexpr std::size_t kFew = 24;
  std::size_t passed = 0;
  if (steps_.size() <= kFew) {
    for (const std::int64_t step : steps_) passed += step <= value ? 1 : 0;
  } else {
    passed = static_cast<std::size_t>(std::upper_bound(steps_.begin(), steps_.end(), value) - steps_.begin());
  }
  return codes_[passed];
}

std::uint32_t WholeCodes::code_by_text(std::uint64_t value) const {
  Speller speller;
  return encoder_.encode(model::Field(speller.spell(value)));
}

std::uint32_t WholeCodes::code_by_text(std::span<const std::uint64_t> words) const {
  Speller speller;
  return encoder_.encode(model::Field(speller.spell(words, scale_)));
}

}  // namespace postern::owner
