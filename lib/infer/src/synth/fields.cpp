#include <cmath>
#include <string_view>

#include "postern/core/draw.hpp"
#include "postern/infer/synthesize.hpp"

#include "posterior/csv_text.hpp"

namespace postern::infer {
namespace {

/// Numbers of an interval between cuts: `count` of them, from the first on, a pitch apart.
struct Interval {
  Rational first;
  Rational pitch;
  std::uint64_t count = 1;
};

std::vector<Interval> intervals_of(const model::Column& column) {
  std::vector<Interval> out;
  const auto add = [&](const Rational& lo, const Rational& end, const Rational& pitch) {
    const Rational steps = (end - lo) / pitch;
    out.push_back({lo, pitch, static_cast<std::uint64_t>(std::llround(steps.get_d()))});
  };
  if (const auto* range = std::get_if<model::IntegerRange>(&column.values); range && !range->cuts.empty()) {
    std::int64_t lo = range->lo;
    for (const std::int64_t cut : range->cuts) {
      add(Rational(lo), Rational(cut), 1);
      lo = cut;
    }
    add(Rational(lo), Rational(range->hi + 1), 1);
  }
  if (const auto* range = std::get_if<model::RealRange>(&column.values); range && !range->cuts.empty()) {
    Rational lo = range->lo;
    for (const Rational& cut : range->cuts) {
      add(lo, cut, range->grid);
      lo = cut;
    }
    add(lo, range->hi + range->grid, range->grid);
  }
  return out;
}

/// The fields of one column, record after record.
class Fields {
 public:
  Fields(const Synthetic& synthetic, std::size_t dataset, std::size_t column, bool for_csv)
      : levels_(synthetic.datasets[dataset]),
        columns_(synthetic.columns.size()),
        at_(column),
        // A stream of its own: numbers do not change with the way in which records are shared out.
        rng_(synthetic.stream, static_cast<std::uint32_t>(0xF0000000U + dataset * columns_ + column),
             Purpose::synthesis) {
    const model::Column& declared = synthetic.columns[column];
    if (!synthetic.options.intervals) intervals_ = intervals_of(declared);
    for (std::uint32_t level = 0; intervals_.empty() && level < declared.levels(); ++level)
      labels_.push_back(for_csv ? csv_field(declared.label(level)) : declared.label(level));
  }

  /// The next record's.
  [[nodiscard]] std::string_view next() {
    const std::uint32_t level = levels_[at_];
    at_ += columns_;
    if (intervals_.empty()) return labels_[level];
    const Interval& interval = intervals_[level];
    const auto step = static_cast<unsigned long>(draw_below(interval.count, rng_));
    number_ = to_decimal(Rational(interval.first + interval.pitch * step));
    return number_;
  }

 private:
  const std::vector<std::uint32_t>& levels_;
  std::size_t columns_;
  std::size_t at_;
  Rng rng_;
  std::vector<Interval> intervals_;
  std::vector<std::string> labels_;
  std::string number_;
};

/// People go by numbers, from 1 on.
std::string person_of(std::size_t record, std::size_t length) { return std::to_string(1 + record / length); }

}  // namespace

std::vector<std::string> Synthetic::names() const {
  std::vector<std::string> out;
  if (!person.empty()) out.push_back(person);
  for (const model::Column& column : columns) out.push_back(column.name);
  return out;
}

std::vector<std::string> synthetic_fields(const Synthetic& synthetic, std::size_t dataset,
                                          std::size_t column) {
  std::vector<std::string> out;
  out.reserve(synthetic.options.records);
  if (!synthetic.person.empty() && column-- == 0) {
    for (std::size_t i = 0; i < synthetic.options.records; ++i) out.push_back(person_of(i, synthetic.length));
    return out;
  }
  Fields fields(synthetic, dataset, column, false);
  for (std::size_t i = 0; i < synthetic.options.records; ++i) out.emplace_back(fields.next());
  return out;
}

std::string synthetic_csv(const Synthetic& synthetic, std::size_t dataset) {
  std::vector<Fields> fields;
  std::string out;
  for (const std::string& name : synthetic.names()) out += (out.empty() ? "" : ",") + csv_field(name);
  for (std::size_t c = 0; c < synthetic.columns.size(); ++c) fields.emplace_back(synthetic, dataset, c, true);
  out += '\n';
  for (std::size_t i = 0; i < synthetic.options.records; ++i) {
    if (!synthetic.person.empty()) out += person_of(i, synthetic.length) + ',';
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (c != 0) out += ',';
      out += fields[c].next();
    }
    out += '\n';
  }
  return out;
}

}  // namespace postern::infer
