#include "draw_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "postern/core/diagnostics.hpp"

namespace postern::infer {
namespace {

constexpr double kRhat = 1.01;
constexpr double kEss = 400;

double quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

std::optional<double> if_defined(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// "p.1, p.2, p.3 and 4 more"
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMost) out += " and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

}  // namespace

SummaryRow summarise_draws(const Posterior& posterior, std::size_t quantity, DrawKind kind) {
  std::vector<std::span<const double>> chains;
  std::vector<double> draws;
  for (const std::vector<double>& chain : posterior.draws) {
    chains.emplace_back(chain.data() + quantity * posterior.iterations, posterior.iterations);
    draws.insert(draws.end(), chains.back().begin(), chains.back().end());
  }
  std::sort(draws.begin(), draws.end());
  const auto count = static_cast<double>(draws.size());
  double mean = 0;
  double square = 0;
  for (const double x : draws) mean += x / count;
  for (const double x : draws) square += (x - mean) * (x - mean);
  SummaryRow row;
  row.name = posterior.names[quantity];
  row.label = posterior.labels[quantity];
  row.mean = mean;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // one draw has neither sd nor interval
  const bool several = draws.size() > 1;
  row.sd = several ? std::sqrt(square / (count - 1)) : kNone;
  row.q05 = several ? quantile(draws, 0.05) : kNone;
  row.q50 = quantile(draws, 0.50);
  row.q95 = several ? quantile(draws, 0.95) : kNone;
  if (kind == DrawKind::markov) {
    const ChainDraws all(chains);
    row.ess = if_defined(std::min(bulk_ess(all), tail_ess(all)));
    row.rhat = if_defined(rank_rhat(all));
  }
  return row;
}

std::vector<Warning> convergence_warnings(const std::vector<SummaryRow>& rows) {
  std::vector<std::string> apart;
  std::vector<std::string> few;
  for (const SummaryRow& row : rows) {
    if (row.rhat && *row.rhat > kRhat) apart.push_back(row.name);
    if (row.ess && *row.ess < kEss) few.push_back(row.name);
  }
  std::vector<Warning> warnings;
  if (!apart.empty())
    warnings.push_back({"chains-disagree", "the chains disagree about " + list(apart) +
                                               " (rhat above 1.01): do not rely on it; ask for more draws"});
  if (!few.empty())
    warnings.push_back({"few-effective-draws", "fewer than 400 effective draws of " + list(few) +
                                                   ": its quantiles are rough; ask for more draws"});
  return warnings;
}

}  // namespace postern::infer
