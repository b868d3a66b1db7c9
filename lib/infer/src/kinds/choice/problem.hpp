#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"
#include "postern/release/record_set.hpp"

#include "level_law.hpp"
#include "likelihood.hpp"

namespace postern::infer {

/// Records from a law, n of them (or as many as noisy counts suggest), and the choices that were made from
/// them.
struct ChoiceProblem {
  std::unique_ptr<const LevelLaw> law;
  ChoiceLikelihoods choices;
  std::variant<KnownTotal, LatentTotal> total;
  std::vector<NoisyValue> counts;  ///< of a latent n

  /// n, or the best guess at it.
  [[nodiscard]] std::int64_t about() const;
  /// log P(noisy counts | n).
  [[nodiscard]] double log_total(std::int64_t n) const;
};

/// What the releases of one record set say of records from that law, which has so many levels.
[[nodiscard]] ChoiceProblem make_choice_problem(const release::RecordSet& releases,
                                                std::unique_ptr<const LevelLaw> law, std::size_t levels);
/// The same of a study that chooses.
[[nodiscard]] ChoiceProblem make_choice_problem(const release::RecordSet& releases,
                                                const InferOptions& options);

}  // namespace postern::infer
