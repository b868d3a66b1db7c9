#pragma once

#include <map>
#include <string>
#include <vector>

#include "run.hpp"

namespace postern::honesty {

enum class Verdict { holds, open, fails, refuses, not_yet };
[[nodiscard]] std::string_view to_text(Verdict verdict);

/// What the rounds of a case say of one prior.
struct Score {
  std::string name;
  Prior prior = Prior::old_default;
  std::size_t rounds = 0;
  std::size_t answered = 0;
  std::string refused;  ///< the last reason, where some were
  double held = 0;
  double held_sd = 0;  ///< of one round
  std::vector<double> bins;
  double width = 0;
  bool has_plain = false;
  double plain = 0;
  double behind = 0;  ///< how much less often held than by the unbiased sum: mean over rounds
  double behind_se = 0;
  double cause_warned = 0;               ///< share of answers with a warning that names a cause
  double newly_warned = 0;               ///< with one that the old defaults did not have
  std::map<std::string, double> warned;  ///< share of answers
  double seconds = 0;                    ///< CPU, of one answer
  std::string engine;
  Verdict verdict = Verdict::open;
};

/// `margin` standard errors below .85 is a failure.
[[nodiscard]] Score score_of(const std::string& name, Prior prior, std::size_t which,
                             const std::vector<Round>& rounds, double margin);
/// The bars over all cases that answered; what is broken, in words. Empty: none.
[[nodiscard]] std::vector<std::string> broken_bars(const std::vector<Score>& scores, double margin);

[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_line(const Score& score);
[[nodiscard]] std::string text_line(const Score& score);

}  // namespace postern::honesty
