#include "postern/model/column.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "postern/core/number_text.hpp"
#include "postern/model/study_error.hpp"

namespace postern::model {
namespace {

/// Label of the whole numbers lo..hi.
std::string interval_label(std::int64_t lo, std::int64_t hi) {
  return lo == hi ? std::to_string(lo) : std::to_string(lo) + "-" + std::to_string(hi);
}

std::uint64_t level_count(const Categories& values) { return values.labels.size(); }
std::uint64_t level_count(const IntegerRange& values) {
  if (!values.cuts.empty()) return values.cuts.size() + 1;
  return static_cast<std::uint64_t>(values.hi) - static_cast<std::uint64_t>(values.lo) + 1;
}
std::uint64_t level_count(const RealRange& values) {
  if (!values.cuts.empty()) return values.cuts.size() + 1;
  const Integer steps = floor((values.hi - values.lo) / values.grid);
  return steps.fits_ulong_p() ? steps.get_ui() + 1 : ~std::uint64_t{0};
}

std::string level_label(const Categories& values, std::uint32_t level) { return values.labels[level]; }
std::string level_label(const IntegerRange& values, std::uint32_t level) {
  if (values.cuts.empty()) return std::to_string(values.lo + level);
  const std::int64_t lo = level == 0 ? values.lo : values.cuts[level - 1];
  const std::int64_t hi = level == values.cuts.size() ? values.hi : values.cuts[level] - 1;
  return interval_label(lo, hi);
}
std::string level_label(const RealRange& values, std::uint32_t level) {
  if (values.cuts.empty()) return to_decimal(Rational(values.lo + values.grid * level));
  const bool last = level == values.cuts.size();
  return "[" + to_decimal(level == 0 ? values.lo : values.cuts[level - 1]) + "," +
         to_decimal(last ? values.hi : values.cuts[level]) + (last ? "]" : ")");
}

template <class Number>
void check_cuts(const std::string& name, const Number& lo, const Number& hi,
                const std::vector<Number>& cuts) {
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (cuts[i] <= lo || cuts[i] > hi || (i > 0 && cuts[i] <= cuts[i - 1])) {
      throw StudyError({{"columns", name, "cuts"}, i}, ErrorCode::overlapping_cuts,
                       {"column '", from_study(name),
                        "': cuts must rise strictly and lie inside the range, above its lower end"});
    }
  }
}

void check_values(const std::string& name, const Categories& values) {
  const auto refuse = [&](std::size_t item, ErrorCode code, const PublicText& text) {
    throw StudyError({{"columns", name, "categories"}, item}, code, text);
  };
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < values.labels.size(); ++i) {
    const std::string& label = values.labels[i];
    if (!seen.insert(label).second) {
      refuse(i, ErrorCode::duplicate_category,
             {"column '", from_study(name), "' declares the category '", from_study(label),
              "' twice; remove one"});
    }
    if (label.empty()) {
      refuse(i, ErrorCode::bad_value,
             {"column '", from_study(name),
              "' declares an empty category; write a value that a field may have in its place"});
    }
    if (label.size() > 256 || label.front() == ' ' || label.back() == ' ') {
      refuse(i, ErrorCode::bad_value,
             {"column '", from_study(name), "': the category '", from_study(label),
              "' must have 1 to 256 bytes and no space at either end"});
    }
  }
}

void check_values(const std::string& name, const IntegerRange& values) {
  if (values.lo > values.hi) {
    throw StudyError({{"columns", name, "integer"}}, ErrorCode::bad_value,
                     {"column '", from_study(name), "': the lower end of `integer` is above the upper end"});
  }
  constexpr std::int64_t kBound = std::int64_t{1} << 53;
  if (values.lo < -kBound || values.hi > kBound) {
    throw StudyError({{"columns", name, "integer"}}, ErrorCode::bad_value,
                     {"column '", from_study(name), "': `integer` bounds must lie within +-2^53"});
  }
  check_cuts(name, values.lo, values.hi, values.cuts);
}

void check_values(const std::string& name, const RealRange& values) {
  if (values.lo >= values.hi || sgn(values.grid) <= 0) {
    throw StudyError({{"columns", name, values.lo >= values.hi ? "real" : "grid"}}, ErrorCode::bad_value,
                     {"column '", from_study(name), "': `real` needs lower < upper and `grid` > 0"});
  }
  const auto check_on_grid = [&](const char* key, std::size_t item, const Rational& x) {
    if (Rational(x / values.grid).get_den() == 1) return;
    throw StudyError({{"columns", name, key}, item}, ErrorCode::bad_value,
                     {"column '", from_study(name), "': ", from_study(to_decimal(x)),
                      " is not a multiple of `grid`, and bounds and cuts must be multiples of it (",
                      from_study(to_decimal(values.grid)), ")"});
  };
  check_on_grid("real", 0, values.lo);
  check_on_grid("real", 1, values.hi);
  for (std::size_t i = 0; i < values.cuts.size(); ++i) check_on_grid("cuts", i, values.cuts[i]);
  check_cuts(name, values.lo, values.hi, values.cuts);
}

/// The step of an even grid that a text writes, as a number: "-0.300" is -0.3.
std::optional<std::uint32_t> step_of(const std::string& text, const Rational& lo, const Rational& grid,
                                     std::uint32_t count) {
  constexpr int kPlaces = 18;  // as bounds and grids are read
  const auto value = parse_number(text, kPlaces);
  if (!value) return std::nullopt;
  const Rational step = (*value - lo) / grid;
  if (step.get_den() != 1 || sgn(step) < 0 || step >= count) return std::nullopt;
  return static_cast<std::uint32_t>(step.get_num().get_ui());
}

/// The key that declares a column's values.
const char* range_key(const Column& column) {
  constexpr std::array<const char*, 3> kKeys{"categories", "integer", "real"};
  return kKeys.at(column.values.index());
}

}  // namespace

std::uint32_t Column::levels() const {
  return static_cast<std::uint32_t>(std::visit([](const auto& v) { return level_count(v); }, values));
}

std::string Column::label(std::uint32_t level) const {
  return std::visit([level](const auto& v) { return level_label(v, level); }, values);
}

std::optional<std::uint32_t> Column::find_level(const std::string& wanted) const {
  const std::uint32_t count = levels();
  if (const auto* real = std::get_if<RealRange>(&values); real != nullptr && real->cuts.empty())
    return step_of(wanted, real->lo, real->grid, count);
  if (const auto* whole = std::get_if<IntegerRange>(&values); whole != nullptr && whole->cuts.empty())
    return step_of(wanted, Rational(whole->lo), Rational(1), count);
  for (std::uint32_t level = 0; level < count; ++level) {
    if (label(level) == wanted) return level;
  }
  return std::nullopt;
}

void check_column(const Column& column) {
  if (column.name.empty() || column.name.size() > 256) {
    throw StudyError({{"columns", column.name}}, ErrorCode::bad_value,
                     {"a column's name must have 1 to 256 bytes"});
  }
  std::visit([&](const auto& v) { check_values(column.name, v); }, column.values);
  const std::uint64_t count = std::visit([](const auto& v) { return level_count(v); }, column.values);
  if (count == 0 || count > kMaxLevels) {
    throw StudyError({{"columns", column.name, range_key(column)}}, ErrorCode::bad_value,
                     {"column '", from_study(column.name),
                      "' needs between 1 and 1048576 levels; give it `cuts`, or a coarser `grid`"});
  }
  const bool categorical = std::holds_alternative<Categories>(column.values);
  for (const char* key : {"missing", "outside"}) {
    const auto* map = std::get_if<MapTo>(key[0] == 'm' ? &column.missing : &column.outside);
    if (map != nullptr && map->level >= count) {
      throw StudyError(
          {{"columns", column.name, key}}, ErrorCode::bad_value,
          {"column '", from_study(column.name), "': a policy maps to a level that is not declared"});
    }
  }
  if (std::holds_alternative<Clamp>(column.missing) ||
      (categorical && std::holds_alternative<Clamp>(column.outside))) {
    throw StudyError(
        {{"columns", column.name, std::holds_alternative<Clamp>(column.missing) ? "missing" : "outside"}},
        ErrorCode::bad_value,
        {"column '", from_study(column.name),
         "': only a number outside its range can be clamped; name a declared value"});
  }
}

}  // namespace postern::model
