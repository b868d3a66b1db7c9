#include "moments/slope_scales.hpp"

#include <cmath>

namespace postern::infer {

double SlopeScales::usual_log_tau() const { return std::log(square_); }

double SlopeScales::log_ratio(double square, int slopes, double times) const {
  const double most = times * times;
  const double own = kHalfTau * square_ / slopes;
  return 2 * kHalfTau * std::log(times) -
         (kHalfTau + 0.5 * slopes) * std::log((most * own + 0.5 * square) / (own + 0.5 * square));
}

double SlopeScales::value(double log_tau, std::span<const double> log_lambda) const {
  double sum = -kHalfTau * (log_tau + square_ * std::exp(-log_tau));
  for (const double l : log_lambda) sum -= kHalfLocal * (l + std::exp(-l));
  return sum;
}

void SlopeScales::slope(double log_tau, std::span<const double> log_lambda, double& by_tau,
                        std::span<double> by_lambda) const {
  by_tau += kHalfTau * (square_ * std::exp(-log_tau) - 1);
  for (std::size_t j = 0; j < log_lambda.size(); ++j)
    by_lambda[j] += kHalfLocal * (std::exp(-log_lambda[j]) - 1);
}

}  // namespace postern::infer
