#include "postern/infer/warnings/declared.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "postern/model/measurement.hpp"

#include "posterior/words.hpp"
#include "tables.hpp"
#include "totals.hpp"

namespace postern::infer {
namespace {

using release::NoiseSum;

/// The value whose noise would be the strangest, for its share of the chance.
struct Found {
  const Value* value = nullptr;
  double log_chance = 0;  ///< of noise like that, over the share
};

Found strangest(const std::vector<Value>& values, const Range& n) {
  Found worst;
  for (const Value& value : values) {
    const double log_chance = value.log_chance(n) - std::log(value.share);
    if (log_chance < worst.log_chance) worst = {&value, log_chance};
  }
  return worst;
}

/// The n that the totals leave possible, by themselves and up to a share `chance` of wrong answers.
Range possible_n(const std::vector<Value>& totals, double chance) {
  Range out{0, HUGE_VAL};
  for (const Value& total : totals) {
    const double reach = total.noise.radius(-std::log(total.share * chance));
    out = {std::max(out.lo, (total.y - reach) / total.record.hi),
           std::min(out.hi, (total.y + reach) / total.record.hi)};
  }
  return out;
}

constexpr const char* kOdds = "noise alone does that less than once in ";

std::string odds(double chance) { return kOdds + whole_text(1 / chance) + " releases"; }

Warning total_warning(const Value& total, const Range& declared, double chance) {
  const double seen = total.y / total.record.hi;
  const std::string what = "the " + total.what + " says n is about " + whole_text(seen);
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
    const model::StatisticKind& kind = statistic.kind();
    const bool is_n = !kind.total_text().empty() && block.values.size() == 1;
    if (is_n || kind.is_choice()) continue;
    const model::TermRange record = kind.record_range(statistic, schema);
    // Of a table only the least and the largest cell can be the strangest.
    const auto [least, most] = std::minmax_element(block.values.begin(), block.values.end());
    for (const auto at : {least, most}) {
      const auto cell = static_cast<std::size_t>(at - block.values.begin());
      out.push_back({kind.coordinate_text(statistic, schema, cell),
                     static_cast<double>(*at),
                     NoiseSum(release::noise_law(block.block.noise)),
                     {record.lo, record.hi}});
    }
  }
  return out;
}

std::vector<Value> values_of(const release::RecordSet& releases) {
  std::vector<Value> out;
  double count = 0;
  for (const release::Release* release : releases) {
    for (Value& value : values_in(*release)) out.push_back(std::move(value));
    for (const release::MeasuredBlock& block : release->blocks)
      count += static_cast<double>(block.values.size());
  }
  for (Value& value : out) value.share = 1 / count;
  return out;
}

}  // namespace

SeenN seen_n(const release::RecordSet& releases) {
  const Range declared = declared_n(releases);
  if (declared.lo == declared.hi) return SeenN(declared.lo);
  const std::vector<Value> totals = totals_of(releases);
  if (totals.empty()) return SeenN(declared.hi);
  const Value seen = totals.size() == 1 ? joint_total(totals) : totals.back();
  SeenN out(std::clamp(seen.y, 0.0, declared.hi));
  out.noise_sd = std::sqrt(seen.noise.variance());
  out.likely_most = std::min(out.about + 2 * out.noise_sd, declared.hi);
  return out;
}

std::vector<Warning> contradictions(const release::RecordSet& releases, double chance) {
  const std::vector<Value> totals = totals_of(releases);
  const std::vector<Value> values = values_of(releases);
  std::vector<Warning> out;
  const Range declared = declared_n(releases);
  const bool public_n = declared.lo == declared.hi;
  const Found total = strangest(totals, declared);
  // Too few and too many have one name where n is public, and two where it is private.
  const bool wrong = total.log_chance < std::log(public_n ? chance / 2 : chance);
  if (wrong) out.push_back(total_warning(*total.value, declared, chance));

  // What the values are held against: n as declared and as seen; as seen alone where the two disagree.
  Range n = declared;
  if (!public_n) {
    const Range seen = possible_n(totals, chance / 2);
    n = {std::max(0.0, seen.lo), wrong ? std::max(0.0, seen.hi) : std::min(seen.hi, declared.hi)};
    if (n.empty()) n = {0, std::max(declared.hi, n.lo)};
  }
  // Half of the chance is that of another n; the other half is for both sides.
  const Found value = strangest(values, n);
  if (value.log_chance < std::log(chance / 4)) out.push_back(value_warning(*value.value, n, chance));
  if (auto warning = disagreeing_tables(releases, chance)) out.push_back(std::move(*warning));
  return out;
}

}  // namespace postern::infer
