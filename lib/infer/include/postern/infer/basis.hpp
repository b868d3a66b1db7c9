#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A posterior together with what it was made from, read anew: all that is needed to make its engine again or
/// to ask its draws about records that nobody has seen.
struct Basis {
  const Posterior& posterior;
  std::vector<release::Release> releases;
  std::vector<release::RecordSet> sets;  ///< of these releases
  InferOptions options;                  ///< the prior and the public rows that were used
  std::size_t parameters = 0;            ///< the model's are the first so many quantities of a draw

  [[nodiscard]] const model::Study& study() const { return releases.front().study; }
};

/// Refuses (input_unreadable) releases that are not those the posterior names, or whose model has other
/// parameters than its draws, and (unsupported) a posterior that was saved without its releases. The releases
/// are verified: they may come from a stranger. @pre the posterior outlives the basis
[[nodiscard]] Basis basis_of(const Posterior& posterior);

/// Some draws of all chains, evenly spaced, quantity by quantity.
struct SomeDraws {
  std::size_t draws = 0;
  std::vector<double> values;  ///< [quantity * draws + draw]

  [[nodiscard]] std::span<const double> of(std::size_t quantity) const {
    return {values.data() + quantity * draws, draws};
  }
};
/// At most `most` draws of the model's parameters. Throws input_unreadable unless they are numbers.
[[nodiscard]] SomeDraws parameter_draws(const Basis& basis, std::size_t most);
/// The same. Throws input_unreadable unless they are probabilities.
[[nodiscard]] SomeDraws probability_draws(const Basis& basis, std::size_t most);

}  // namespace postern::infer
