#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/model/column.hpp"

namespace postern::infer {

/// What the parameters of synthetic records are.
enum class SynthesisFrom {
  record_draws,   ///< each record has a draw of its own: one data set from the posterior predictive of a
                  ///< record
  dataset_draws,  ///< each data set has a draw of its own, so that data sets differ as the posterior does
  mean,           ///< the posterior mean: plug-in
};

struct SynthesisOptions {
  std::size_t records = 1000;  ///< in each data set
  std::size_t datasets = 1;    ///< more than one: each from a draw of its own, unless plug_in
  bool plug_in = false;
  bool intervals = false;  ///< numbers with cuts as the interval they lie in, not as a number from it
  std::uint64_t seed = 1;
  int threads = 0;
  std::optional<std::size_t> length = {};  ///< of sequences: records of a person
};

/// Synthetic records: levels of the model's columns, row-major. Of sequences, those of a person stand
/// together.
struct Synthetic {
  std::vector<model::Column> columns;
  std::vector<std::vector<std::uint32_t>> datasets;
  SynthesisFrom from = SynthesisFrom::record_draws;
  SynthesisOptions options;
  std::string person = {};  ///< of sequences: the column of ids, which comes before the others
  std::size_t length = 1;   ///< records of a person
  /// The seed with the posterior's releases in it: other releases have other records under the same seed.
  std::uint64_t stream = 0;

  /// The columns of a data set, in their order.
  [[nodiscard]] std::vector<std::string> names() const;
};

/// New records under the posterior, the same for any number of threads. Throws unsupported where the kind
/// makes none or the posterior was saved without its releases, bad_option past 2^31 fields or for a length
/// that no sequence has, interrupted.
[[nodiscard]] Synthetic synthesize(const Posterior& posterior, const SynthesisOptions& options,
                                   const Conversation& conversation);

/// The fields of one of `names`, as its study would read them: categories and numbers as declared;
/// of a number with cuts, one from the interval with every number (or point of the grid) as likely as any
/// other, since the model knows no more; or the interval itself.
[[nodiscard]] std::vector<std::string> synthetic_fields(const Synthetic& synthetic, std::size_t dataset,
                                                        std::size_t column);
/// A data set as CSV, with a header.
[[nodiscard]] std::string synthetic_csv(const Synthetic& synthetic, std::size_t dataset);

/// How the data sets were made, and how results from several are combined, for people.
[[nodiscard]] std::vector<std::string> synthesis_notes(const Synthetic& synthetic);

}  // namespace postern::infer
