#pragma once

#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// What a value that was rounded, clipped or held back says about the truth s: P(low <= s + noise <= high).
/// Its logarithm is concave in s, since every law of noise is log-concave.
class BandLikelihood {
 public:
  BandLikelihood(const release::NoiseLaw& law, const Band& band) : law_(law), band_(band) {}

  /// Finite for every s. Accuracy: about 1e-10 relative, in the tails too.
  [[nodiscard]] double log_at(double s) const;
  [[nodiscard]] double log_ratio(double s, double from) const { return log_at(s) - log_at(from); }
  [[nodiscard]] const Band& band() const { return band_; }
  /// From here on, below and above, its logarithm has fallen by `nats` or is as good as flat.
  [[nodiscard]] Band reach(double nats) const;

 private:
  release::NoiseLaw law_;
  Band band_;
};

}  // namespace postern::infer
