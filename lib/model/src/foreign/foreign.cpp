#include "postern/model/foreign.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

constexpr std::array<std::pair<ForeignLaw, std::string_view>, 4> kLaws{
    {{ForeignLaw::discrete_laplace, "discrete-laplace"},
     {ForeignLaw::discrete_gaussian, "discrete-gaussian"},
     {ForeignLaw::laplace, "laplace"},
     {ForeignLaw::gaussian, "gaussian"}}};

[[noreturn]] void refuse(Piece what) { throw Error(ErrorCode::bad_value, {what}); }

bool is_whole(const Rational& value) { return value.get_den() == 1; }

Rational size(const Rational& value) { return sgn(value) < 0 ? Rational(-value) : value; }

void check_scale(const ForeignBlock& block) {
  static const Rational least = *parse_fraction("1/1000000000");
  static const Rational most = *parse_fraction("1000000000000000");
  if (block.scale < least || block.scale > most)
    refuse("a scale of noise must lie between 10^-9 and 10^15; state it in the units of the values");
}

void check_publishing(const ForeignBlock& block) {
  const Publishing& how = block.published;
  if (how.round_to && sgn(*how.round_to) <= 0)
    refuse("round_to must be positive; leave it out if nothing was rounded");
  if (how.at_least && how.at_most && *how.at_least >= *how.at_most)
    refuse("at_least must be below at_most: these are the ends that values were clipped to");
  const bool whole = is_discrete(block.law);
  for (const auto* one : {&how.round_to, &how.at_least, &how.at_most, &how.threshold}) {
    if (whole && *one && !is_whole(**one))
      refuse(
          "discrete noise leaves whole numbers whole: round_to, at_least, at_most and threshold must be "
          "whole numbers too, or the noise is not discrete");
  }
}

void check_value(const Rational& value, const ForeignBlock& block) {
  static const Rational most = *parse_fraction("1000000000000000");
  if (size(value) > most) refuse("a value must lie within -10^15..10^15");
  const Publishing& how = block.published;
  if (is_discrete(block.law) && !is_whole(value))
    refuse("discrete noise leaves counts whole, and a value is not; state \"laplace\" or \"gaussian\"");
  if (how.at_least && value < *how.at_least)
    refuse("a value lies below at_least, to which it would have been clipped");
  if (how.at_most && value > *how.at_most)
    refuse("a value lies above at_most, to which it would have been clipped");
  if (how.threshold && value < *how.threshold)
    refuse("a value lies below the threshold, and would have been held back; write \"absent\" for such");
  const bool clipped = (how.at_least && value == *how.at_least) || (how.at_most && value == *how.at_most);
  if (how.round_to && !clipped && !is_whole(value / *how.round_to))
    refuse("a value is no multiple of round_to");
}

void check_block(const ForeignBlock& block, const Study& study) {
  if (block.statistic.kind().is_choice()) refuse("a choice among candidates is not a noisy value");
  check_scale(block);
  check_publishing(block);
  const std::size_t cells = statistic_size(block.statistic, study.schema);
  if (block.values.size() != cells) {
    throw Error(ErrorCode::bad_value,
                {"values: ", quote(block.statistic.kind().text(block.statistic, study.schema), 80), " has ",
                 public_number(static_cast<long long>(cells)), " cells and ",
                 public_number(static_cast<long long>(block.values.size())),
                 " values are given; list all cells, the last column's levels fastest, and write \"absent\" "
                 "for a cell that a threshold held back"});
  }
  for (const auto& value : block.values) {
    if (value) {
      check_value(*value, block);
    } else if (!block.published.threshold) {
      refuse("a value is \"absent\": state the threshold below which values were held back");
    }
  }
}

}  // namespace

std::string_view to_text(ForeignLaw law) {
  return std::find_if(kLaws.begin(), kLaws.end(), [law](const auto& one) { return one.first == law; })
      ->second;
}

std::optional<ForeignLaw> parse_foreign_law(std::string_view text) {
  for (const auto& [law, name] : kLaws) {
    if (name == text) return law;
  }
  return std::nullopt;
}

void check_foreign(const Foreign& foreign, const Study& study) {
  if (foreign.made_by.empty() || foreign.made_by.size() > 200)
    refuse("made_by must say in 1 to 200 letters what made the release, such as \"OpenDP 0.16.0\"");
  if (foreign.record_set && (foreign.record_set->empty() || foreign.record_set->size() > 128))
    refuse("record_set must be a name of 1 to 128 letters for the records; leave it out if none is known");
  if (!foreign.n && !study.privacy.n_at_most)
    throw Error(ErrorCode::missing_key,
                {"the number of records is missing: state n, or declare add-remove and a bound on n"});
  if (foreign.n && (*foreign.n < 0 || *foreign.n > 1'000'000'000'000)) refuse("n must lie in 0..10^12");
  if (foreign.blocks.empty())
    throw Error(ErrorCode::missing_key, {"nothing was measured: add a [[foreign.measured]] table"});
  for (const ForeignBlock& block : foreign.blocks) check_block(block, study);
}

}  // namespace postern::model
