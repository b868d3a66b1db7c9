#include "totals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/model/statistic/table.hpp"

namespace postern::infer {
namespace {

using release::MeasuredBlock;
using release::NoiseSum;

/// Every record adds the largest k to a sum and its mirrored sum together.
void add_mirrored_pair(const release::Release& release, std::vector<Value>& out) {
  const MeasuredBlock* sum = nullptr;
  const MeasuredBlock* mirrored = nullptr;
  for (const MeasuredBlock& block : release.blocks) {
    if (const auto* of = block.block.statistic.as<model::LevelSum>(); of != nullptr && of->power == 1)
      (of->mirrored ? mirrored : sum) = &block;
  }
  if (sum == nullptr || mirrored == nullptr) return;
  const double top = term_range(sum->block.statistic.get<model::LevelSum>(), release.study.schema).hi;
  if (!(top > 0)) return;
  NoiseSum noise(release::noise_law(sum->block.noise));
  noise.add(release::noise_law(mirrored->block.noise));
  out.push_back({"released sum and mirrored sum together",
                 static_cast<double>(sum->values.at(0)) + static_cast<double>(mirrored->values.at(0)),
                 noise,
                 {top, top}});
}

void add_totals(const release::Release& release, std::vector<Value>& out) {
  for (const MeasuredBlock& block : release.blocks) {
    const bool table = block.block.statistic.as<model::Table>() != nullptr;
    if (!table && block.block.statistic.as<model::RecordCount>() == nullptr) continue;
    double total = 0;
    for (const Int128 value : block.values) total += static_cast<double>(value);
    out.push_back({table ? "released sum of all cells" : "released number of records",
                   total,
                   NoiseSum(release::noise_law(block.block.noise), static_cast<double>(block.values.size())),
                   {1, 1}});
  }
  add_mirrored_pair(release, out);
}

}  // namespace

double Value::log_chance(const Range& n) const {
  const Range possible = sums(n, record);
  if (y > possible.hi) return noise.log_tail(y - possible.hi);
  if (y < possible.lo) return noise.log_tail(possible.lo - y);
  return 0;
}

Range term_range(const model::LevelSum& sum, const model::Schema& schema) {
  const std::vector<std::int64_t> terms = model::level_terms(sum, schema);
  const auto [least, most] = std::minmax_element(terms.begin(), terms.end());
  return {static_cast<double>(*least), static_cast<double>(*most)};
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
