#pragma once

#include <cmath>

#include "postern/infer/moments/chain.hpp"

#include "moments/unknowns.hpp"

namespace postern::infer {

/// Where unknowns stand: those of the features' moments first (UnknownPlaces without a target), then the
/// predictor's mean over the records; its row, whitened; the sums with the target, whitened; log(d tau^2) and
/// log lambda_j^2 of the slopes' prior. Features are in the factor's order.
struct GlmPlaces {
  explicit GlmPlaces(const UnknownPlaces& moments)
      : features(moments.features),
        centre(moments.all),
        row(centre + 1),
        sums(row + features),
        log_tau(sums + features + 1),
        log_lambda(log_tau + 1),
        all(log_lambda + features) {}
  int features, centre, row, sums, log_tau, log_lambda, all;
};

/// Numbers of so many features and the target, without an allocation.
using FewNumbers = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostScatterColumns + 1, 1>;

/// What the noisy sums with the target say of C^-1 sum (x - mean) y / sqrt n, its variance by noise included,
/// C being the features' factor; first of the mean of y. Both are of a state that is near to the data: C_jj /
/// sqrt n was `pivot` there, and as C_jj shrinks both grow.
struct KnownSums {
  FewNumbers value, variance, pivot;
  double slope = 1;     ///< of the mean of y by the predictor
  double sampling = 1;  ///< variance of such sums in records, about
};

/// A number that is known up to noise, as it is at this C_jj, with its slopes by log C_jj.
struct Known {
  double value, variance;
  double value_slope, variance_slope;
};
/// `times` stretches value, which is held below `most`; `more` is variance that is not noise.
inline Known known_at(double value, double variance, double shrunk, double most, double more) {
  const double bent = std::tanh(shrunk * value / most);
  const double noise = variance * shrunk * shrunk;
  return {most * bent, noise + more, -shrunk * value * (1 - bent * bent), -2 * noise};
}

/// An unknown x that is about normal, of variance `prior` around `centre`, and about normal around `value`
/// with `variance` besides: x = share value + (1 - share) centre + sd z, z near to standard normal.
struct Whitened {
  Whitened(double prior, double variance)
      : share(prior / (prior + variance)), sd(std::sqrt(share * variance)) {}
  double share;
  double sd;
  /// The slope by `variance` of x less its centre, at this z and value less centre.
  [[nodiscard]] double by_variance(double variance, double value, double z) const {
    return share * (0.5 * share * z / sd - (1 - share) / variance * value);
  }
};

}  // namespace postern::infer
