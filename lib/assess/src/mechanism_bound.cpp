#include "mechanism_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "postern/assess/bounds/fourier_bound.hpp"
#include "postern/assess/bounds/kl_loss.hpp"
#include "postern/assess/bounds/map_bound.hpp"
#include "postern/assess/bounds/noise_bound.hpp"
#include "postern/model/statistic/grid_split.hpp"

namespace postern::assess {
namespace {

constexpr double kDelta = 0.05;

std::size_t all_cells(const model::Measurement& measurement) {
  std::size_t cells = 0;
  for (const model::Block& block : measurement.blocks) cells += block.size;
  return cells;
}

/// The parameter of the block with the most noise: the least lambda, the largest sigma^2.
double widest(const model::Measurement& measurement) {
  double out = measurement.blocks.front().noise.parameter.get_d();
  for (const model::Block& block : measurement.blocks) {
    const double own = block.noise.parameter.get_d();
    out = block.noise.kind == model::NoiseKind::discrete_laplace ? std::min(out, own) : std::max(out, own);
  }
  return out;
}

MechanismBound tables_bound(const model::NoisePlan& plan) {
  const std::size_t cells = all_cells(plan.measurement);
  const double parameter = widest(plan.measurement);
  // Discrete Gaussian noise has tails below 2 exp(-z^2 / (2 sigma^2)); all cells by the union of them.
  const double limit =
      plan.request.mechanism == model::Mechanism::laplace
          ? discrete_noise_bound({parameter, cells}, kDelta)
          : std::ceil(std::sqrt(2 * parameter * std::log(2 * static_cast<double>(cells) / kDelta)));
  return {limit, "no count is off by more than " + short_number(limit)};
}

std::optional<MechanismBound> fourier_bound(const model::Study& study, const model::NoisePlan& plan,
                                            const infer::NetworkProblem& network) {
  const bool binary =
      std::all_of(network.sizes.begin(), network.sizes.end(), [](std::uint32_t size) { return size == 2; });
  if (!binary || study.privacy.currency != Currency::pure) return std::nullopt;
  std::size_t most = 1;
  for (const infer::NetworkFamily& family : network.families) most = std::max(most, family.variables.size());
  const bool constant = study.privacy.adjacency == model::Adjacency::replace_one;
  const FourierNoise noise{all_cells(plan.measurement) + (constant ? 1 : 0), 1 / widest(plan.measurement), 0};
  const double limit = fourier_tables_bound(noise, most, kDelta);
  return MechanismBound{limit, "no table is off by more than " + short_number(limit) + " in all its cells"};
}

std::optional<MechanismBound> choice_bound(const model::Study& study, const model::NoisePlan& plan,
                                           const infer::NetworkProblem& network) {
  const auto grid = model::planned_grid(plan.measurement, study.schema, study.privacy);
  const double omega = grid->omega.get_d();
  if (plan.request.mechanism == model::Mechanism::posterior_draw)
    return MechanismBound{omega, "no split of a row is drawn nearer to 0 or 1 than " + short_number(omega)};
  std::size_t free = 0;
  for (std::size_t v = 0; v < network.sizes.size(); ++v) {
    const std::vector<double>& alpha = network.families[v].alpha;
    if (std::any_of(alpha.begin(), alpha.end(), [](double a) { return a < 1; })) return std::nullopt;
    free += alpha.size() / network.sizes[v] * (network.sizes[v] - 1);
  }
  const double gap = concave_gap_quantile({grid->tau.get_d(), free}, kDelta);
  return MechanismBound{gap, "the log posterior is within " + short_number(gap) + " of the best on its grid"};
}

}  // namespace

std::optional<MechanismBound> mechanism_bound(const model::Study& study, const model::NoisePlan& plan,
                                              const infer::NetworkProblem& network) {
  switch (plan.request.mechanism) {
    case model::Mechanism::laplace:
    case model::Mechanism::gaussian:
      return tables_bound(plan);
    case model::Mechanism::fourier:
      return fourier_bound(study, plan, network);
    case model::Mechanism::posterior_draw:
    case model::Mechanism::map:
      return choice_bound(study, plan, network);
    default:  // mechanisms of other kinds
      break;
  }
  return std::nullopt;
}

std::optional<double> plug_in_divergence(const model::NoisePlan& plan, const infer::NetworkProblem& network,
                                         const std::vector<std::vector<std::int64_t>>& counts,
                                         std::int64_t n) {
  constexpr double kMostWork = 2e6;
  if (plan.request.mechanism != model::Mechanism::laplace || n < 1) return std::nullopt;
  const ClippedNoise noise{widest(plan.measurement), n};
  double work = 0;
  std::vector<HypotheticalRow> rows;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const std::size_t levels = network.sizes[v];
    if (levels < 2) continue;
    for (std::size_t at = 0; at < counts[v].size(); at += levels) {
      HypotheticalRow& row = rows.emplace_back();
      for (std::size_t l = at; l < at + levels; ++l) {
        row.alpha.push_back(network.families[v].alpha[l]);
        row.counts.push_back(counts[v][l]);
      }
      work += std::pow(static_cast<double>(levels), 3) * std::min(static_cast<double>(n), 60 / noise.rate);
    }
  }
  if (rows.empty() || work > kMostWork) return std::nullopt;
  return hypothetical_kl_bounds(rows, noise, kDelta).least();
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), std::abs(value) < 100 ? "%.3g" : "%.0f", value);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace postern::assess
