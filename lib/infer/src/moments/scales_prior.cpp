#include "moments/scales_prior.hpp"

#include <cmath>

namespace postern::infer {
namespace {

constexpr double kTypicalSd = 0.5;  // of s_i, the sd that a column usually has
constexpr double kNuCentre = 20;
constexpr double kNuSpread = 0.7;
constexpr double kNuMost = 80;
constexpr double kDirectionSpread = 0.5;
// Where axes are asked for:
constexpr double kLogSdSpread = 0.2;  // of log sds about their mean, Student's t
constexpr double kLogSdDegrees = 1;

}  // namespace

ScalesPrior::ScalesPrior(const UnknownPlaces& places, double times)
    : places_(places), typical_sd_(kTypicalSd * times) {}

ScalesPrior::ScalesPrior(const UnknownPlaces& places, const ScatterProblem& problem,
                         const ScatterOrder& order)
    : ScalesPrior(places, problem.prior_scale) {
  if (problem.axis_units.empty()) return;
  log_units_.resize(places.features);
  for (int i = 0; i < places.features; ++i) log_units_(i) = std::log(problem.axis_units[order.column[i]]);
}

DenseVector ScalesPrior::apart(std::span<const double> q) const {
  DenseVector out(places_.features);
  for (int i = 0; i < places_.features; ++i) out(i) = q[places_.log_sd + i] + log_units_(i);
  return out.array() - out.mean();
}

double ScalesPrior::value(std::span<const double> q, const ScatterState& state) const {
  const int d = places_.features;
  double sum = 2 * q[places_.log_g] - 2 * std::log1p(state.g * state.g);
  double log_sds = 0;
  for (int i = 0; i < d; ++i) {
    const double z = state.typical(i) / typical_sd_;
    log_sds += q[places_.log_sd + i];
    sum -= 0.5 * z * z;
    const double x = std::abs(q[places_.direction + i]) / (kDirectionSpread * kDirectionSpread);
    sum += x + std::log1p(std::exp(-2 * x)) - 0.5 * x * x * kDirectionSpread * kDirectionSpread;
  }
  if (of_axes()) {
    const double least = kLogSdDegrees * kLogSdSpread * kLogSdSpread;
    sum += log_sds / d - 0.5 * (kLogSdDegrees + d - 1) * std::log(least + apart(q).squaredNorm());
  } else {
    sum += log_sds;
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = state.nu / kNuMost;
  return sum - 0.5 * (away * away + above * above);
}

void ScalesPrior::slope(std::span<const double> q, const ScatterState& state, std::span<double> out) const {
  const int d = places_.features;
  for (int i = 0; i < d; ++i) {
    const double z = state.typical(i) / typical_sd_;
    out[places_.log_sd + i] += (of_axes() ? 1.0 / d : 1) - z * z;
    const double precision = 1 / (kDirectionSpread * kDirectionSpread);
    const double x = q[places_.direction + i] * precision;
    out[places_.direction + i] += std::tanh(x) * precision - x;
  }
  out[places_.log_g] += 2 - 4 / (1 + 1 / (state.g * state.g));
  if (of_axes()) {
    const DenseVector each = apart(q);
    const double by =
        (kLogSdDegrees + d - 1) / (kLogSdDegrees * kLogSdSpread * kLogSdSpread + each.squaredNorm());
    for (int i = 0; i < d; ++i) out[places_.log_sd + i] -= by * each(i);
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = state.nu / kNuMost;
  out[places_.log_nu] -= away / kNuSpread + above * above;
}

double ScalesPrior::log_scale_ratio(const ScatterState& state, double times) const {
  double square = 0;
  for (int i = 0; i < places_.features; ++i)
    square += state.sd(i) * state.sd(i) * (1 + state.loading(i) * state.loading(i));
  return 0.5 * square / (typical_sd_ * typical_sd_) * (1 - 1 / (times * times));
}

}  // namespace postern::infer
