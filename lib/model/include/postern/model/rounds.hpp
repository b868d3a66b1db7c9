#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/units.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

// Rounds: one charge pays for several measurements, of which the later ones depend on what the earlier ones
// published. Why that costs the sum of their costs, and no more than was charged: rounds.md beside the
// source.

/// One block as published: what was measured, its noise, the noisy integers (never clipped or repaired).
struct MeasuredBlock {
  Block block;
  std::vector<Int128> values;
};

/// What one round published, and the public integers made from all rounds up to it, on which later ones may
/// depend. A view.
struct PublishedRound {
  std::span<const MeasuredBlock> blocks;
  std::span<const Int128> table;
};

/// How a coordinate of a block is noised, and how many there are.
struct BlockNoise {
  Noise noise;
  std::size_t size = 0;
};

/// The rule by which a kind of model measures in rounds. All of it is a function of public things, exactly
/// the same for whoever evaluates it: no floating point decides anything.
class RoundRule {
 public:
  RoundRule() = default;
  RoundRule(const RoundRule&) = delete;
  RoundRule& operator=(const RoundRule&) = delete;
  virtual ~RoundRule() = default;

  /// Stands in plans, ledgers and documents; another rule has another name.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The most rounds that there can be. @pre at least 1
  [[nodiscard]] virtual std::size_t at_most(const Study& study, const Request& request) const = 0;
  /// Do later rounds depend on a table of integers that somebody computes from what was published?
  [[nodiscard]] virtual bool takes_table() const { return false; }
  /// The blocks of the round after those, nothing if that was the last. (Those of the first are
  /// Kind::design's.) Throws where the table that it takes is none. @pre `before` holds 1..at_most-1 rounds
  [[nodiscard]] virtual std::vector<Block> next(const Study& study, const Request& request,
                                                const Rational& budget,
                                                std::span<const PublishedRound> before) const = 0;
  /// The noise of a later round (the second is number 1), block by block, where that is known before
  /// anything is published: it is then drawn before a record is read. Nothing where it is not known.
  [[nodiscard]] virtual std::optional<std::vector<BlockNoise>> foreseen(const Study& study,
                                                                        const Request& request,
                                                                        const Rational& budget,
                                                                        std::size_t round) const;
};

/// The measurement of the round after those that were published: the first after none. Nothing where there is
/// no further round. What the gate noises and what `verify` expects to find.
/// Privacy: its cost and that of all rounds before it are at most `charge`, or it throws `internal`.
[[nodiscard]] std::optional<Measurement> next_round(const Study& study, const Request& request,
                                                    const Spend& charge,
                                                    std::span<const PublishedRound> before);

/// What a round alone costs, exactly.
[[nodiscard]] Rational cost(const PublishedRound& round, const Study& study);

}  // namespace postern::model
