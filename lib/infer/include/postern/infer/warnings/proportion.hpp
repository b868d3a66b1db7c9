#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/warnings/declared.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// How much is known beside the prior, and through how much noise.
struct Evidence {
  SeenN records;        ///< of all record sets, and public rows
  double cells = 0;     ///< of the table that is counted; 0 for sums
  SeenN table_records;  ///< of the record set whose cells are the noisiest
  double noise_sd = 0;  ///< of a cell there
};

/// What `measurement` would give of n records.
[[nodiscard]] Evidence evidence_of(const model::Measurement& measurement, const model::Schema& schema,
                                   const SeenN& n);

/// prior-outweighs-data where the prior is worth more records than there are, and noise-outweighs-counts
/// where the noise of a cell has a standard deviation above the count of an average cell. Where n is private,
/// as many records as there likely are at most are outweighed; the second is also told where n itself is
/// hardly known, since no cell is then.
[[nodiscard]] std::vector<Warning> out_of_proportion(const model::Model& model, const Evidence& evidence);

/// The same of a planned release, of n records or, where n is private and not given, of as many as there may
/// be. Nothing where neither is known.
[[nodiscard]] std::vector<Warning> planned_proportion(const model::Study& study,
                                                      const model::Measurement& measurement,
                                                      std::optional<std::int64_t> n);

}  // namespace postern::infer
