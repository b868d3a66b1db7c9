#pragma once

#include <cstdint>

#include "kinds/number/exact/record/record_law.hpp"
#include "kinds/number/exact/record/tilted_record.hpp"
#include "sum_noise.hpp"

namespace postern::infer {

/// How fine a lattice is.
struct LatticeResolution {
  double most_exact = 0;      ///< integers in the window of S, which are then all looked at
  double of_deviation = 120;  ///< points to a deviation of S
  double of_record = 1024;    ///< points to a record's range
  double error = 5e-8;        ///< of the logarithm, that kinks between points may add
};

/// Whether a lattice of no more points than there may be is as fine as sharp noise asks.
[[nodiscard]] bool resolves(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                            const SumNoise& noise, const LatticeResolution& resolution);

/// log E w(S) from the law of S itself, on a lattice with a Fourier transform: for few records, or laws that
/// are all but concentrated on a few atoms, whose characteristic function does not fade. Exact on the
/// integers where those are few. Otherwise the lattice is as wide as a 120th of the deviation of S, or a
/// 1024th of a record's range, aligned with the two heaviest nodes, and a
/// node between its points becomes the four weights that keep its first three moments. What that misplaces is
/// of fourth order, n (H / sd)^4 / 65 = 7e-11 n, as far as the other records smear a kink of the noise. Few
/// records do so only in part: a share H (rate + 1 / sd) of the sums is so near a kink that a misplaced
/// record counts, by at most rate H / 8 and with either sign, so that the lattice is narrower where the noise
/// is sharp.
[[nodiscard]] double log_mean_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                                      const SumNoise& noise, const LatticeResolution& resolution);

}  // namespace postern::infer
