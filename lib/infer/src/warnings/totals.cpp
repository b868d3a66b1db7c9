#include "totals.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "postern/infer/noise/published_values.hpp"
#include "postern/release/foreign.hpp"

namespace postern::infer {
namespace {

using release::MeasuredBlock;
using release::NoiseSum;

/// Two released numbers to which every record adds the same together.
void add_pairs(const release::Release& release, std::vector<Value>& out) {
  const model::Schema& schema = release.study.schema;
  for (const MeasuredBlock& a : release.blocks) {
    const model::Statistic& first = a.block.statistic;
    for (const MeasuredBlock& b : release.blocks) {
      const std::optional<double> each = first.kind().together(first, b.block.statistic, schema);
      if (!each || !(*each > 0)) continue;
      NoiseSum noise(release::noise_law(a.block.noise));
      noise.add(release::noise_law(b.block.noise));
      out.push_back({"released sum and mirrored sum together",
                     static_cast<double>(a.values.at(0)) + static_cast<double>(b.values.at(0)),
                     noise,
                     {*each, *each}});
    }
  }
}

/// Of a block made elsewhere, where nothing but noise was added to any of its values.
void add_foreign_total(const model::ForeignBlock& block, std::vector<Value>& out) {
  const std::string what = block.statistic.kind().total_text();
  const std::vector<NoisyValue> values = what.empty() ? std::vector<NoisyValue>() : noisy_values(block);
  if (values.empty() || any_band(values)) return;
  double total = 0;
  for (const NoisyValue& value : values) total += value.y;
  out.push_back({"released " + what,
                 total,
                 NoiseSum(release::noise_law(block), static_cast<double>(values.size())),
                 {1, 1}});
}

void add_totals(const release::Release& release, std::vector<Value>& out) {
  for (const MeasuredBlock& block : release.blocks) {
    const std::string what = block.block.statistic.kind().total_text();
    if (what.empty()) continue;
    double total = 0;
    for (const Int128 value : block.values) total += static_cast<double>(value);
    out.push_back({"released " + what,
                   total,
                   NoiseSum(release::noise_law(block.block.noise), static_cast<double>(block.values.size())),
                   {1, 1}});
  }
  add_pairs(release, out);
  if (!release.foreign) return;
  for (const model::ForeignBlock& block : release.foreign->blocks) add_foreign_total(block, out);
}

}  // namespace

double Value::log_chance(const Range& n) const {
  const Range possible = sums(n, record);
  if (y > possible.hi) return noise.log_tail(y - possible.hi);
  if (y < possible.lo) return noise.log_tail(possible.lo - y);
  return 0;
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

Value joint_total(const std::vector<Value>& totals) {
  constexpr double kLeastVariance = 1e-9;  // noise that is as good as none would have an infinite weight
  std::vector<double> weights;
  double precision = 0;
  for (const Value& total : totals) {
    weights.push_back(total.record.hi / std::max(total.noise.variance(), kLeastVariance));
    precision += weights.back() * total.record.hi;
  }
  Value out;
  out.what = "mean of the " + std::to_string(totals.size()) + " released totals, weighted by precision,";
  out.record = {1, 1};
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const double weight = weights[i] / precision;
    out.y += weight * totals[i].y;
    out.noise.add(totals[i].noise, weight);
  }
  return out;
}

std::vector<Value> totals_of(const release::RecordSet& releases) {
  std::vector<Value> out;
  for (const release::Release* release : releases) add_totals(*release, out);
  if (out.size() < 2) return out;
  Value joint = joint_total(out);
  joint.share = 0.5;
  for (Value& total : out) total.share = 0.5 / static_cast<double>(out.size());
  out.push_back(std::move(joint));
  return out;
}

}  // namespace postern::infer
