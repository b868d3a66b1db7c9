#include "kinds/bayes_net/grid.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "postern/core/error.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "plan/sharing.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostSplits = 4096;  // the blocks that a document holds
constexpr long kHalf = 1L << 19;           // omega is a whole number of 2^-20: 1/2
constexpr long kLeast = 1L << 10;          // and lies this far from 0 and from 1/2, at the least
constexpr long kMapOmega = 20;             // of a private mode it is one in so many

Rational omega_of(long steps_from_half) {
  Rational omega(kHalf - steps_from_half, 2 * kHalf);
  omega.canonicalize();
  return omega;
}

/// Splits levels first..last-1 of a row, then each half. The prior's parameters are left as they are.
void add_splits(const GridSplit& row, std::span<const Rational> alpha, std::uint32_t first,
                std::uint32_t last, std::vector<GridSplit>& out) {
  if (last - first < 2) return;
  if (out.size() == kMostSplits) {
    throw Error(
        ErrorCode::unsupported,
        {"this network's tables take more than ", public_number(kMostSplits),
         " choices, which is the most that a release holds; merge levels, drop edges, or release tables"});
  }
  GridSplit split = row;
  split.first = first;
  split.middle = first + (last - first + 1) / 2;
  split.last = last;
  for (std::uint32_t l = first; l < split.middle; ++l) split.prior_below += alpha[l];
  for (std::uint32_t l = split.middle; l < last; ++l) split.prior_above += alpha[l];
  out.push_back(split);
  add_splits(row, alpha, first, split.middle, out);
  add_splits(row, alpha, split.middle, last, out);
}

std::vector<GridSplit> all_splits(const Study& study, const Rational& omega) {
  std::vector<GridSplit> out;
  for (const BayesNode& node : study.model.get<BayesNet>().nodes) {
    const std::uint32_t levels = study.schema.at(node.column).levels();
    GridSplit row;
    row.columns = family_columns(node);
    row.omega = omega;
    row.points = kMostGridPoints;
    for (std::size_t at = 0; at < node.alpha.size(); at += levels, ++row.row)
      add_splits(row, std::span(node.alpha).subspan(at, levels), 0, levels, out);
  }
  if (out.empty())
    throw Error(ErrorCode::bad_value, {"no column has two levels: there is nothing to choose"});
  return out;
}

/// All splits once for each draw, draw by draw.
std::vector<Block> blocks_of(const std::vector<GridSplit>& splits, const Study& study, const Rational& scale,
                             std::size_t draws = 1) {
  std::vector<Block> out;
  out.reserve(splits.size() * draws);
  for (std::size_t i = 0; i < splits.size() * draws; ++i) {
    const GridSplit& split = splits[i % splits.size()];
    // Before the braces: gcc 12 destroys a nested aggregate twice when a later member's initialiser throws.
    const std::size_t size = statistic_size(split, study.schema);
    out.push_back({split, {NoiseKind::exponential, scale}, size});
  }
  return out;
}

/// What a request says of a grid, among its shares: how many draws, and where the grid begins.
struct GridRequest {
  std::size_t draws = 1;
  std::optional<Rational> omega;
};

GridRequest grid_request(const Request& request, std::size_t splits) {
  GridRequest out;
  for (const auto& [name, value] : request.shares) {
    if (name == "omega") {
      if (value < Rational(kLeast, 2 * kHalf) || value > omega_of(kLeast))
        throw Error(ErrorCode::bad_option,
                    {"omega must lie in 0.001..0.499: the grid is between it and 1 - omega"});
      out.omega = value;
    } else if (name == "draws") {
      const std::size_t most = kMostSplits / splits;
      if (value.get_den() != 1 || value < 1 || value > Rational(static_cast<long>(most)))
        throw Error(ErrorCode::bad_option,
                    {"draws must be a whole number in 1..", public_number(static_cast<long>(most)),
                     ": a release holds at most ", public_number(kMostSplits), " choices"});
      out.draws = value.get_num().get_ui();
    } else {
      throw Error(
          ErrorCode::bad_option,
          {from_study(to_text(request.mechanism)), " takes no share of '", from_option(name),
           "': all its choices have the same scale; it takes draws=K for K draws, each for a K-th of the "
           "budget, and omega=W for a grid between W and 1 - W"});
    }
  }
  return out;
}

/// The scale that costs the budget. `unit` is what scale 1 costs with scores that oscillate by 1: the cost is
/// unit (scale oscillation), or unit (scale oscillation)^2 in rho (statistic/grid/cost.md).
Rational scale_for(const Rational& budget, const Rational& unit, const Rational& omega, Currency currency) {
  const Rational oscillation = grid_oscillation(omega);
  if (currency == Currency::pure) return budget / (unit * oscillation);
  return root_below(budget / (unit * oscillation * oscillation));
}

/// The narrowest grid, about 1/2, at which the untempered posterior costs the budget or more; the widest
/// where none does.
Rational omega_for(const Rational& budget, const Rational& unit, Currency currency) {
  const Rational one(1, 1L << kGridLogBits);
  long below = kLeast - 1;
  long enough = kHalf - kLeast;
  while (enough - below > 1) {
    const long middle = below + (enough - below) / 2;
    const bool dear = scale_for(budget, unit, omega_of(middle), currency) <= one;
    (dear ? enough : below) = middle;
  }
  return omega_of(enough);
}

/// To whole 2^-20, so that a document holds it.
Rational rounded(const Rational& value) {
  Rational out(floor(value << kGridLogBits), Integer(Integer(1) << kGridLogBits));
  out.canonicalize();
  return out;
}

}  // namespace

std::vector<Block> design_grid(const Study& study, const Request& request, const Rational& budget) {
  const Currency currency = study.privacy.currency;
  const Rational map_omega(1, kMapOmega);
  const Rational oscillation = grid_oscillation(map_omega);
  std::vector<GridSplit> splits = all_splits(study, map_omega);
  const GridRequest wanted = grid_request(request, splits.size());
  const Rational each = budget / Rational(static_cast<long>(wanted.draws));
  Rational unit = cost({blocks_of(splits, study, 1)}, study.schema, study.privacy) / oscillation;
  if (currency == Currency::zcdp) unit /= oscillation;
  const bool draw = request.mechanism == Mechanism::posterior_draw;
  const Rational omega = wanted.omega ? *wanted.omega : draw ? omega_for(each, unit, currency) : map_omega;
  Rational scale = scale_for(each, unit, omega, currency);
  Rational tempering = 1;
  if (draw) {
    scale = std::min(scale, Rational(1, 1L << kGridLogBits));
    tempering = scale << kGridLogBits;
  }
  // The density of the prior keeps its own power when that of the records is tempered.
  for (GridSplit& split : splits) {
    split.omega = omega;
    split.prior_below = rounded((split.prior_below - 1) / tempering);
    split.prior_above = rounded((split.prior_above - 1) / tempering);
  }
  return blocks_of(splits, study, scale, wanted.draws);
}

}  // namespace postern::model
