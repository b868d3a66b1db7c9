#pragma once

#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/stop.hpp"
#include "postern/model/study.hpp"
#include "postern/release/rounds.hpp"

namespace postern::infer {

/// What a Kind also is whose releases depend, round by round, on a model that is fitted to what they
/// published so far.
class FitsRounds {
 public:
  FitsRounds() = default;
  FitsRounds(const FitsRounds&) = delete;
  FitsRounds& operator=(const FitsRounds&) = delete;
  virtual ~FitsRounds() = default;
  /// The public integers that the next round takes; nothing where it takes none. The same for the same
  /// release.
  [[nodiscard]] virtual std::vector<Int128> round_table(const release::Release& so_far,
                                                        const Conversation& conversation) const = 0;
};

/// What a gate needs to make releases of a study in rounds that depend on a fit; empty for others.
[[nodiscard]] release::Fit round_fit(const model::Study& study, const Conversation& conversation = {});

}  // namespace postern::infer
