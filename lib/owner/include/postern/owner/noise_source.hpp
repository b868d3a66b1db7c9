#pragma once

#include <map>
#include <span>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/rounds.hpp"
#include "postern/owner/charge.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// The noise of one plan: what is added to its statistics, drawn, and the choices it holds, still to be made.
/// A plan in rounds has that of one round after the other.
class DrawnNoise {
 public:
  /// What the noise is for: the plan's measurement, or that of the round.
  [[nodiscard]] const model::Measurement& measurement() const { return measurement_; }
  /// One vector per block of the measurement, empty where the block is a choice.
  [[nodiscard]] const std::vector<std::vector<Int128>>& added() const { return added_; }
  /// The index of the candidate that block chooses by its scores. Once a block.
  [[nodiscard]] Int128 choose(std::size_t block, std::span<const Int128> scores);
  /// Goes on to the round that the plan's rule has follow what was published, and draws its noise; false if
  /// there is none. Privacy: throws, and draws nothing, if the rounds would cost more than was charged.
  /// @pre `before` is what was made of the rounds so far, and of nothing else
  [[nodiscard]] bool next_round(std::span<const model::PublishedRound> before);

 private:
  friend class NoiseSource;
  DrawnNoise(ChargeToken&& token, Entropy& entropy);
  /// Draws what is added in later rounds where its law is known already.
  void draw_ahead();
  void take_round(model::Measurement measurement, std::size_t round);
  ChargeToken token_;
  Entropy& entropy_;
  model::Measurement measurement_;
  std::vector<std::vector<Int128>> added_;
  std::vector<bool> chosen_;
  std::size_t round_ = 0;
  struct Ahead {
    std::vector<model::BlockNoise> laws;
    std::vector<std::vector<Int128>> added;
  };
  std::map<std::size_t, Ahead> ahead_;  ///< by round
};

/// Draws exactly the noise written in the token's plan, once, in one batch, before any statistic is touched;
/// of later rounds, all that is known before, and the rest when what it depends on is published.
/// lib/owner/gate is its only caller.
class NoiseSource {
 public:
  NoiseSource(ChargeToken&& token, Entropy& entropy);
  /// Consumes the source.
  [[nodiscard]] DrawnNoise draw() &&;
  [[nodiscard]] const ChargeToken& token() const { return token_; }

 private:
  ChargeToken token_;
  Entropy& entropy_;
};

}  // namespace postern::owner
