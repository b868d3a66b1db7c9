#include "postern/assess/audit_stat.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::assess {
namespace {

/// What an event shows that has probability `often` on one side and `seldom`, which is less, on the other.
using Shown = double (*)(double often, double seldom);

double epsilon_shown(double often, double seldom) { return std::log(often) - std::log(seldom); }

/// Gaussian DP: Phi^-1(1 - FPR) - Phi^-1(FNR) <= mu = sqrt(2 rho), with FPR <= seldom and FNR <= 1 - often.
double gaussian_rho_shown(double often, double seldom) {
  if (often >= 1 || seldom >= 1) return 0;
  const double mu = std::max(0.0, normal_quantile(1 - seldom) - normal_quantile(1 - often));
  return mu * mu / 2;
}

/// No event has a larger divergence than the outputs have; it grows with `often` and falls with `seldom`.
double renyi_rho_shown(double often, double seldom) {
  if (often >= 1 || seldom >= 1 || often <= seldom) return 0;
  double most = 0;
  for (const double order : {1.01, 1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0}) {
    const double terms[] = {order * std::log(often) + (1 - order) * std::log(seldom),
                            order * std::log1p(-often) + (1 - order) * std::log1p(-seldom)};
    most = std::max(most, log_sum_exp(terms) / (order - 1) / order);
  }
  return most;
}

/// Lower confidence bound from an event seen `likely` times of n where it should be frequent and `rare` where
/// it should not.
double bound(double likely, double rare, double n, Shown shown, double alpha) {
  const double often = binomial_lower_limit(likely, n, alpha / 2);
  const double seldom = binomial_upper_limit(rare, n, alpha / 2);
  return often <= 0 || seldom <= 0 ? 0 : std::max(0.0, shown(often, seldom));
}

std::vector<double> sorted_sample(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

double count_below(const std::vector<double>& values, double threshold, bool inclusive) {
  const auto end = inclusive ? std::upper_bound(values.begin(), values.end(), threshold)
                             : std::lower_bound(values.begin(), values.end(), threshold);
  return static_cast<double>(end - values.begin());
}

/// How often the event of `choice` happened among `values`.
double happened(const std::vector<double>& values, const AuditBound& choice) {
  const auto n = static_cast<double>(values.size());
  return choice.below ? count_below(values, choice.threshold, true)
                      : n - count_below(values, choice.threshold, false);
}

double judged(const std::vector<double>& d, const std::vector<double>& neighbour, const AuditBound& choice,
              Shown shown, double alpha) {
  const double on_d = happened(d, choice);
  const double on_neighbour = happened(neighbour, choice);
  const auto n = static_cast<double>(d.size());
  return choice.swapped ? bound(on_neighbour, on_d, n, shown, alpha)
                        : bound(on_d, on_neighbour, n, shown, alpha);
}

AuditBound best_bound(std::span<const double> on_d, std::span<const double> on_neighbour, Shown shown,
                      double alpha) {
  if (on_d.size() != on_neighbour.size() || on_d.size() < 4) {
    throw Error(ErrorCode::usage,
                {"an audit needs the same number of runs, at least four, on both neighbours"});
  }
  const std::size_t half = on_d.size() / 2;
  const std::vector<double> d = sorted_sample(on_d.first(half));
  const std::vector<double> neighbour = sorted_sample(on_neighbour.first(half));
  std::vector<double> candidates;
  constexpr std::size_t kCandidates = 400;
  for (const std::vector<double>* side : {&d, &neighbour}) {
    for (std::size_t i = 0; i < kCandidates; ++i)
      candidates.push_back((*side)[i * (half - 1) / (kCandidates - 1)]);
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  AuditBound best;
  for (const double threshold : candidates) {
    for (const bool below : {false, true}) {
      for (const bool swapped : {false, true}) {
        AuditBound choice{0, threshold, below, swapped};
        choice.lower = judged(d, neighbour, choice, shown, alpha);
        if (choice.lower > best.lower) best = choice;
      }
    }
  }
  best.lower = judged(sorted_sample(on_d.subspan(half, half)),
                      sorted_sample(on_neighbour.subspan(half, half)), best, shown, alpha);
  return best;
}

}  // namespace

AuditBound audit_lower_bound(std::span<const double> on_d, std::span<const double> on_neighbour,
                             Currency currency, double alpha) {
  return best_bound(on_d, on_neighbour, currency == Currency::pure ? epsilon_shown : gaussian_rho_shown,
                    alpha);
}

AuditBound audit_renyi_bound(std::span<const double> on_d, std::span<const double> on_neighbour,
                             double alpha) {
  return best_bound(on_d, on_neighbour, renyi_rho_shown, alpha);
}

}  // namespace postern::assess
