#include "postern/infer/warnings/declared.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "postern/model/measurement.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_sum.hpp"

#include "kinds/range.hpp"
#include "posterior/words.hpp"

namespace postern::infer {
namespace {

using release::NoiseSum;

/// A released number and what n records make of it: y = (n times something in `record`) + noise.
struct Value {
  std::string what;
  double y = 0;
  NoiseSum noise;
  Range record;

  /// A bound on the log of the chance of noise like this, whatever the records are.
  [[nodiscard]] double log_chance(const Range& n) const {
    const Range possible = sums(n, record);
    if (y > possible.hi) return noise.log_tail(y - possible.hi);
    if (y < possible.lo) return noise.log_tail(possible.lo - y);
    return 0;
  }
};

Range range_of(const std::vector<std::int64_t>& terms) {
  const auto [least, most] = std::minmax_element(terms.begin(), terms.end());
  return {static_cast<double>(*least), static_cast<double>(*most)};
}

/// What one record adds to a statistic.
Range record_range(const model::Statistic& statistic, const model::Schema& schema) {
  if (const auto* sum = statistic.as<model::LevelSum>()) return range_of(model::level_terms(*sum, schema));
  if (const auto* product = statistic.as<model::ProductSum>()) {
    const Range a = range_of(model::level_terms({product->first, {}}, schema));
    const Range b = range_of(model::level_terms({product->second, {}}, schema));
    const auto [least, most] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return {least, most};
  }
  return {0, 1};  // a count
}

std::string cell_text(const model::Table& table, const model::Schema& schema, std::size_t cell) {
  const auto levels = schema.domain(table.columns).levels_of(cell);
  std::string text = "count of ";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += (i == 0 ? "" : ", ") + table.columns[i] + " = " + schema.at(table.columns[i]).label(levels[i]);
  }
  return text;
}

/// What a release says about n itself.
std::vector<Value> totals_in(const release::Release& release) {
  std::vector<Value> out;
  const release::MeasuredBlock* sum = nullptr;
  const release::MeasuredBlock* mirrored = nullptr;
  for (const release::MeasuredBlock& block : release.blocks) {
    const model::Statistic& statistic = block.block.statistic;
    if (const auto* of = statistic.as<model::LevelSum>(); of != nullptr && of->power == 1)
      (of->mirrored ? mirrored : sum) = &block;
    const bool table = statistic.as<model::Table>() != nullptr;
    if (!table && statistic.as<model::RecordCount>() == nullptr) continue;
    double total = 0;
    for (const Int128 value : block.values) total += static_cast<double>(value);
    out.push_back({table ? "sum of all cells" : "number of records",
                   total,
                   NoiseSum(release::noise_law(block.block.noise), static_cast<double>(block.values.size())),
                   {1, 1}});
  }
  if (sum == nullptr || mirrored == nullptr) return out;
  // Every record adds the largest k to both together.
  const double top =
      range_of(model::level_terms(sum->block.statistic.get<model::LevelSum>(), release.study.schema)).hi;
  NoiseSum noise(release::noise_law(sum->block.noise));
  noise.add(release::noise_law(mirrored->block.noise));
  out.push_back({"sum and mirrored sum together",
                 static_cast<double>(sum->values.at(0)) + static_cast<double>(mirrored->values.at(0)),
                 noise,
                 {top, top}});
  return out;
}

struct Found {
  const Value* value;
  double log_chance;
};

/// The value whose noise would be the strangest.
Found strangest(const std::vector<Value>& values, const Range& n) {
  Found worst{nullptr, 0};
  for (const Value& value : values) {
    const double log_chance = value.log_chance(n);
    if (log_chance < worst.log_chance) worst = {&value, log_chance};
  }
  return worst;
}

/// The n that the totals leave possible, by themselves and up to a share `chance` of wrong answers.
Range possible_n(const std::vector<Value>& totals, double chance) {
  Range out{0, HUGE_VAL};
  for (const Value& total : totals) {
    const double reach = total.noise.radius(std::log(static_cast<double>(totals.size()) / chance));
    out = {std::max(out.lo, (total.y - reach) / total.record.hi),
           std::min(out.hi, (total.y + reach) / total.record.hi)};
  }
  return out;
}

constexpr const char* kOdds = "noise alone does that less than once in ";

std::string odds(double chance) { return kOdds + whole_text(1 / chance) + " releases"; }

Warning total_warning(const Value& total, const Range& declared, double chance) {
  const double seen = total.y / total.record.hi;
  const std::string what = "the released " + total.what + " says n is about " + whole_text(seen);
  if (declared.lo == declared.hi) {
    return {"total-not-n", what + ", and the release states n = " + whole_text(declared.lo) + ": " +
                               odds(chance) +
                               ". The release was changed, or its counts are not of that many "
                               "records: ask its owner, and do not use this posterior"};
  }
  if (seen > declared.hi) {
    return {
        "n-above-bound",
        what + ", and the study declares at most " + whole_text(declared.hi) + ": " + odds(chance) +
            ". The bound is below the number of records, and this posterior, which believes it, is wrong: "
            "the study must declare n = { at_most = N } with N surely above the number of records, and be "
            "released again"};
  }
  return {"n-below-zero", what + ": " + odds(chance) +
                              ". The release was changed, or its noise is not what it states: ask its owner, "
                              "and do not use this posterior"};
}

Warning value_warning(const Value& value, const Range& n, double chance) {
  const Range possible = sums(n, value.record);
  return {"value-out-of-reach",
          "the released " + value.what + " is " + whole_text(value.y) + ", and " +
              (n.lo == n.hi ? whole_text(n.lo) : "at most " + whole_text(n.hi)) +
              " records in their declared range give " + whole_text(possible.lo) + " to " +
              whole_text(possible.hi) + ": " + odds(chance) +
              ". The release was changed, or was made from counts or sums that are not of records as its "
              "study declares them: ask its owner, and do not use this posterior"};
}

/// Every released number of a statistic other than n.
std::vector<Value> values_in(const release::Release& release) {
  std::vector<Value> out;
  const model::Schema& schema = release.study.schema;
  for (const release::MeasuredBlock& block : release.blocks) {
    const model::Statistic& statistic = block.block.statistic;
    if (statistic.as<model::RecordCount>() != nullptr ||
        block.block.noise.kind == model::NoiseKind::exponential)
      continue;
    const Range record = record_range(statistic, schema);
    const auto* table = statistic.as<model::Table>();
    // Of a table only the least and the largest cell can be the strangest.
    const auto [least, most] = std::minmax_element(block.values.begin(), block.values.end());
    for (const auto at : {least, most}) {
      const auto cell = static_cast<std::size_t>(at - block.values.begin());
      out.push_back(
          {table != nullptr ? cell_text(*table, schema, cell) : statistic.kind().text(statistic, schema),
           static_cast<double>(*at), NoiseSum(release::noise_law(block.block.noise)), record});
    }
  }
  return out;
}

double how_many(const release::RecordSet& releases) {
  double count = 0;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      count += static_cast<double>(block.values.size());
  }
  return count;
}

Range declared_n(const release::RecordSet& releases) {
  Range out{0, HUGE_VAL};
  for (const release::Release* release : releases) {
    if (const auto* known = std::get_if<release::PublicCount>(&release->n))
      return {static_cast<double>(known->value), static_cast<double>(known->value)};
    out.hi = std::min(out.hi, static_cast<double>(std::get<release::PrivateCount>(release->n).at_most));
  }
  return out;
}

}  // namespace

double about_n(const release::RecordSet& releases) {
  const Range declared = declared_n(releases);
  if (declared.lo == declared.hi) return declared.lo;
  double sum = 0;
  double count = 0;
  for (const release::Release* release : releases) {
    for (const Value& total : totals_in(*release)) {
      sum += total.y / total.record.hi;
      count += 1;
    }
  }
  return count == 0 ? declared.hi : std::clamp(sum / count, 0.0, declared.hi);
}

std::vector<Warning> contradictions(const release::RecordSet& releases, double chance) {
  std::vector<Value> totals;
  std::vector<Value> values;
  for (const release::Release* release : releases) {
    for (Value& value : totals_in(*release)) totals.push_back(std::move(value));
    for (Value& value : values_in(*release)) values.push_back(std::move(value));
  }
  std::vector<Warning> out;
  const Range declared = declared_n(releases);
  const Found total = strangest(totals, declared);
  const double many = std::max<double>(1, static_cast<double>(totals.size()));
  const bool wrong = total.log_chance < std::log(chance / many);
  if (wrong) out.push_back(total_warning(*total.value, declared, chance));

  // What the values are held against: n as declared and as seen; as seen alone where the two disagree.
  Range n = declared;
  if (declared.lo < declared.hi) {
    const Range seen = possible_n(totals, chance / 2);
    n = {std::max(0.0, seen.lo), wrong ? std::max(0.0, seen.hi) : std::min(seen.hi, declared.hi)};
    if (n.empty()) n = {0, std::max(declared.hi, n.lo)};
  }
  const Found value = strangest(values, n);
  if (value.log_chance < std::log(chance / 2 / how_many(releases)))
    out.push_back(value_warning(*value.value, n, chance));
  return out;
}

}  // namespace postern::infer
