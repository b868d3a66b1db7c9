#pragma once

#include <cstdint>

#include "kinds/number/exact/record/record_law.hpp"
#include "kinds/number/exact/record/tilted_record.hpp"
#include "sum_noise.hpp"

namespace postern::infer {

// Sums one by one: how many records are on each node. Numbers of records on all nodes but the two with most
// of the mass are gone through as far as they are likely; then the records left are on the two, their sums
// are evenly spaced, and only those near which the noise is high count.

/// Ways to place n records on nodes.
[[nodiscard]] double multisets(double nodes, double n);

/// About how many sums log_mean_enumerated looks at.
[[nodiscard]] double enumerated_sums(const RecordNodes& nodes, const TiltedRecord& tilted, double n,
                                     const SumNoise& noise);

/// log E w(S) to e^-42.
[[nodiscard]] double log_mean_enumerated(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                                         const SumNoise& noise);

}  // namespace postern::infer
