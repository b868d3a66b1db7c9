#include "cut.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/noise/published_values.hpp"

#include "noise_sum.hpp"

namespace postern::infer {
namespace {

constexpr double kTotalNats = 45;   ///< totals that weigh less than e^-this are left out
constexpr double kMarginNats = 90;  ///< of a margin's counts
constexpr double kLeastShare = 1e-9;

/// Values that are known by a band alone, with the noise's law around a place in the band. Only centres take
/// them so.
std::vector<std::vector<NoisyValue>> rough_layers(std::vector<std::vector<NoisyValue>> noisy_values) {
  for (std::vector<NoisyValue>& values : noisy_values) {
    for (NoisyValue& value : values) value.band.reset();
  }
  return layers_of(noisy_values);
}

std::int64_t peak_of(const SeenCount& count) {
  const std::vector<double>& w = count.message.weight;
  return count.message.lo + (std::max_element(w.begin(), w.end()) - w.begin());
}

}  // namespace

CutTotal::CutTotal(const LearnedTable& table) {
  std::vector<NoiseSum> sums;
  NoiseSum::Tables tables;
  for (const std::vector<NoisyValue>& layer : layers_of(table.noisy_values)) sums.emplace_back(layer, tables);
  const SeenCount seen = seen_sum(sums, table.at_most, kTotalNats);
  lo_ = seen.message.lo;
  cdf_.resize(seen.message.weight.size());
  std::partial_sum(seen.message.weight.begin(), seen.message.weight.end(), cdf_.begin());
  for (double& x : cdf_) x /= cdf_.back();
}

std::int64_t CutTotal::quantile(double p) const {
  const auto at = std::lower_bound(cdf_.begin(), cdf_.end(), p);
  return lo_ + std::min<std::int64_t>(at - cdf_.begin(), static_cast<std::int64_t>(cdf_.size()) - 1);
}

ColumnMargin::ColumnMargin(const LearnedTable& table, std::size_t column, Window totals) {
  const std::uint32_t levels = table.sizes[column];
  std::size_t stride = 1;
  for (std::size_t j = column + 1; j < table.sizes.size(); ++j) stride *= table.sizes[j];
  const auto level_of = [&](std::size_t cell) { return cell / stride % levels; };
  std::vector<std::vector<NoiseSum>> sums(levels);
  NoiseSum::Tables tables;
  for (const std::vector<NoisyValue>& layer : rough_layers(table.noisy_values)) {
    std::vector<std::vector<NoisyValue>> mine(levels);
    for (std::size_t cell = 0; cell < layer.size(); ++cell) mine[level_of(cell)].push_back(layer[cell]);
    for (std::uint32_t level = 0; level < levels; ++level) sums[level].emplace_back(mine[level], tables);
  }
  for (std::uint32_t level = 0; level < levels; ++level)
    counts_.push_back(seen_sum(sums[level], table.n.value_or(table.at_most), kMarginNats));
  if (!table.public_rows.empty()) {
    known_.assign(levels, 0.0);
    for (std::size_t cell = 0; cell < table.cells(); ++cell)
      known_[level_of(cell)] += static_cast<double>(table.public_rows[cell]);
  }
  build(levels, totals);
}

void ColumnMargin::build(std::uint32_t levels, Window totals) {
  centre_.assign(levels, 1.0 / levels);
  // A concentration that is learned would put spikes at 0 under levels that noise hides.
  grid_ = {0.5 * levels};
  RowProblem problem;
  for (const SeenCount& count : counts_) problem.children.push_back(&count);
  problem.centre = centre_;
  problem.known = known_;
  problem.grid = grid_;
  problem.sums = totals;
  problem.most = totals.hi;
  problem.top = true;
  double whole = 0;
  for (const SeenCount& count : counts_) whole += static_cast<double>(peak_of(count));
  plan_.target = std::clamp(whole, std::max(0.5, static_cast<double>(totals.lo)),
                            std::max(0.5, static_cast<double>(totals.hi)));
  row_ = LearnedRow(problem, plan_);
}

std::vector<double> ColumnMargin::draw(std::optional<std::int64_t> n, Rng& rng) const {
  const Message& sums = row_.message().message;
  std::vector<std::int64_t> counts(centre_.size());
  const auto drawn = [&] {
    double left = rng.uniform() * std::accumulate(sums.weight.begin(), sums.weight.end(), 0.0);
    for (std::size_t i = 0; i < sums.weight.size(); ++i) {
      left -= sums.weight[i];
      if (left <= 0) return sums.lo + static_cast<std::int64_t>(i);
    }
    return sums.window().hi;
  };
  if (sums.weight.empty() || !row_.draw(n ? std::clamp(*n, sums.lo, sums.window().hi) : drawn(), counts, rng))
    throw Error(ErrorCode::engine_limit, {"the released values contradict n too deeply for double precision; "
                                          "check the releases"});
  std::vector<double> centre(centre_.size());
  for (std::size_t v = 0; v < centre.size(); ++v)
    centre[v] = 0.5 + static_cast<double>(counts[v]) + (known_.empty() ? 0 : known_[v]);
  draw_dirichlet(centre, centre, rng);
  double sum = 0;
  for (double& x : centre) sum += x = std::max(x, kLeastShare);
  for (double& x : centre) x /= sum;
  return centre;
}

}  // namespace postern::infer
