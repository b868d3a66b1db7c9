#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/markov/posterior.hpp"

#include "markov/measurements.hpp"
#include "markov/posterior/identifiable.hpp"
#include "regression/matrix.hpp"

namespace postern::infer::markov {

/// What every chain on the potentials of a Markov network begins with: the directions that matter, the
/// prior, the mode, and how the margins of a record vary there. Immutable.
struct PosteriorSetting {
  Measurements data;
  IdentifiableBasis basis;
  double prior_variance = 1;  ///< of each potential
  bool latent = false;        ///< is n?
  double total = 0;           ///< n, or its estimate
  double most = 0;            ///< n, or the bound on it
  double log_slope = 0;       ///< of the prior of n
  std::vector<double> known;  ///< Q^T N of public records
  double known_total = 0;     ///< how many they are
  std::vector<double> mode;   ///< t
  Matrix covariance;          ///< Q^T Cov Q of the cells of one record at the mode, lower triangle

  /// Fails: as draw_markov_posterior.
  PosteriorSetting(const MarkovProblem& problem, const MarkovPosteriorOptions& options,
                   const Conversation& conversation);
};

/// A lower triangular factor of a covariance that may lack a rank by rounding.
[[nodiscard]] Matrix factor_of_covariance(const Matrix& covariance);

}  // namespace postern::infer::markov
