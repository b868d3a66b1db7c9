#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/core/units.hpp"
#include "postern/model/budget.hpp"
#include "postern/model/study.hpp"

namespace postern::assess {

/// What one mechanism would do to a network.
struct MechanismOutlook {
  model::Mechanism mechanism = model::Mechanism::laplace;
  Spend cost{Currency::pure, 0};  ///< at most the budget
  /// Nats a record that the released network loses to the true one, beyond what exact counts would lose:
  /// noisy counts taken as they are, chosen probabilities as they are. The mean over simulated studies, and
  /// its standard error.
  double loss = 0;
  double loss_error = 0;
  /// What holds of 19 in 20 releases by theory (postern/assess/bounds), in words: "no count is off by more
  /// than 37". Empty where there is no theorem.
  std::string bound;
  std::optional<double> limit;  ///< the number in it
  std::string refused;          ///< why the network cannot be released so; all else is 0 then
};

struct MechanismComparison {
  std::vector<MechanismOutlook> rows;  ///< all that the study's currency allows, tables first
  double without_noise = 0;            ///< what exact counts lose to the truth, in nats a record
  std::size_t studies = 0;             ///< simulated
  model::Mechanism recommended = model::Mechanism::laplace;
  std::string reason;
};

struct CompareOptions {
  std::optional<std::int64_t> n;  ///< required when public; when private: assumed, or drawn from its prior
  std::optional<std::string> at;  ///< an assumed truth in words, see truth.hpp; else drawn from the prior
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Compares the mechanisms that a network can be released by, at one budget (the mechanism and shares of the
/// request are not looked at). Counts are simulated: nothing here has seen a record. Nothing for models that
/// are no networks, and where n is public and not given. Throws what plan_for throws of the budget.
[[nodiscard]] std::optional<MechanismComparison> compare_mechanisms(const model::Study& study,
                                                                    const model::BudgetRequest& budget,
                                                                    const CompareOptions& options,
                                                                    const Conversation& conversation);

}  // namespace postern::assess
