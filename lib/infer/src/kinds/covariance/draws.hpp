#pragma once

#include <string>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/moments/chain.hpp"

#include "problem.hpp"

namespace postern::infer {

/// What draws of columns that are normal together say of whether moments alone suit them.
struct MomentsFit {
  std::vector<double> outside;  ///< one a column: the share of records beyond its bounds, if it is normal
  double rounding = 0;          ///< the largest share of a column's variance that rounding to its grid makes
};

/// Draws by chains on the latent sums of products.
class NormalDraws {
 public:
  NormalDraws(const NormalColumns& columns, const DriverOptions& options, const Conversation& conversation);

  [[nodiscard]] MomentsFit fit() const;
  /// Tells what noise hides and what seems to be clamped: much of it by warnings (columns-hidden,
  /// columns-clamped), the rest by notes.
  void tell(Posterior& out) const;
  /// The chains' draws as means, Sigma's upper triangle row by row, and n where it is latent, in the study's
  /// units.
  [[nodiscard]] ChainRun in_study_units() &&;
  /// Sigma of the scaled columns, and n where it is latent.
  [[nodiscard]] ChainRun scaled_covariance() &&;

 private:
  void tell_hidden(Posterior& out) const;
  void tell_clamped(Posterior& out) const;
  [[nodiscard]] double value(std::size_t chain, std::size_t quantity, std::size_t i) const {
    return run_.chains.draws[chain][quantity * draws_ + i];
  }

  const NormalColumns* columns_;
  LearnedCovarianceQuantities at_;
  std::size_t draws_;
  MomentRun run_;
};

/// More of a column's records beyond its bounds than this, and its moments are not those of a normal law.
inline constexpr double kManyOutside = 0.01;

}  // namespace postern::infer
