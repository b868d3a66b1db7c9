#include "comparison.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

/// The numbers of one level.
struct Span {
  Rational least;
  Rational greatest;
  bool open = false;  ///< `greatest` itself belongs to the next level
};

Span span_of(const model::IntegerRange& range, std::uint32_t level) {
  if (range.cuts.empty()) {
    const Rational value(static_cast<long>(range.lo + level));
    return {value, value};
  }
  const std::int64_t least = level == 0 ? range.lo : range.cuts[level - 1];
  const std::int64_t past = level < range.cuts.size() ? range.cuts[level] : range.hi + 1;
  return {Rational(static_cast<long>(least)), Rational(static_cast<long>(past - 1))};
}

Span span_of(const model::RealRange& range, std::uint32_t level) {
  if (range.cuts.empty()) {
    const Rational value = range.lo + range.grid * level;
    return {value, value};
  }
  const bool last = level == range.cuts.size();
  return {level == 0 ? range.lo : range.cuts[level - 1], last ? range.hi : range.cuts[level], !last};
}

Span span_of(const model::Categories& /*labels*/, std::uint32_t /*level*/) { return {}; }

enum class Part { none, some, all };

/// Of the level's numbers, those that are at least (or, strictly, more than) the bound.
Part part_from(const Span& span, const Rational& bound, bool strictly) {
  if (strictly ? span.least > bound : span.least >= bound) return Part::all;
  const bool none = span.open || strictly ? span.greatest <= bound : span.greatest < bound;
  return none ? Part::none : Part::some;
}

/// "age < 30, age >= 30, age < 45, ..."
std::string possible_comparisons(const model::Column& column) {
  constexpr std::uint32_t kMost = 6;
  std::string out;
  for (std::uint32_t level = 1; level < std::min(column.levels(), kMost); ++level) {
    const Span span = std::visit([&](const auto& values) { return span_of(values, level); }, column.values);
    out += (level == 1 ? "" : ", ") + column.name + " >= " + to_decimal(span.least);
  }
  return column.levels() > kMost ? out + ", ..." : out;
}

}  // namespace

std::vector<bool> levels_where(const model::Column& column, Comparison comparison, const Rational& bound) {
  if (std::holds_alternative<model::Categories>(column.values)) {
    throw Error(ErrorCode::bad_option,
                {"query: column '", from_document(column.name),
                 "' has categories, which have no order; write ", from_document(column.name), " = ",
                 from_document(column.label(0)), ", or ", from_document(column.name), " in {a, b}"});
  }
  const bool strictly = comparison == Comparison::more || comparison == Comparison::at_most;
  const bool below = comparison == Comparison::less || comparison == Comparison::at_most;
  std::vector<bool> out(column.levels());
  for (std::uint32_t level = 0; level < column.levels(); ++level) {
    const Span span = std::visit([&](const auto& values) { return span_of(values, level); }, column.values);
    const Part part = part_from(span, bound, strictly);
    if (part == Part::some) {
      throw Error(ErrorCode::bad_option,
                  {"query: ", from_document(to_decimal(bound)), " falls inside of level '",
                   from_document(column.label(level)), "' of column '", from_document(column.name),
                   "', whose numbers are not told apart; ask at a cut: ",
                   quote(possible_comparisons(column), 300), ", or with < instead of >="});
    }
    out[level] = (part == Part::all) != below;
  }
  return out;
}

}  // namespace postern::infer
