#pragma once

#include <cstdint>

#include "number_noise.hpp"
#include "number_record.hpp"
#include "number_tilt.hpp"

namespace postern::infer {

/// How fine a lattice is.
struct Fineness {
  double most_exact = 0;      ///< integers in the window of S, which are then all looked at
  double of_deviation = 120;  ///< points to a deviation of S
  double of_record = 1024;    ///< points to a record's range
};

/// log E w(S) from the law of S itself, on a lattice with a Fourier transform: for few records, or laws that
/// are all but concentrated on a few atoms, whose characteristic function does not fade. Exact on the
/// integers where those are few. Otherwise the lattice is as wide as a 120th of the deviation of S, or a
/// 1024th of a record's range, aligned with the two heaviest nodes, and a
/// node between its points becomes the four weights that keep its first three moments. What that misplaces is
/// of fourth order, n (H / sd)^4 / 65 = 7e-11 n, as far as the other records smear a kink of the noise; the
/// share that they do not is the probability that all of them are atoms, and there one record misses by at
/// most rate H / 8.
[[nodiscard]] double log_mean_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                                      const SumNoise& noise, const Fineness& fineness);

}  // namespace postern::infer
