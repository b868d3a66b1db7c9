#pragma once

#include <optional>
#include <span>

#include "postern/core/rng.hpp"
#include "postern/model/model.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// What a RoundRule also is whose rounds choose the model itself: a study names columns, and the release
/// which of them go together. Analysts work on the model that was chosen (release::settled).
class SettlesModel {
 public:
  SettlesModel() = default;
  SettlesModel(const SettlesModel&) = delete;
  SettlesModel& operator=(const SettlesModel&) = delete;
  virtual ~SettlesModel() = default;
  /// Throws release_inconsistent where the rounds chose none.
  [[nodiscard]] virtual Model settled(const Study& study, std::span<const PublishedRound> rounds) const = 0;
  /// A model such as may be chosen, from the law of models that simulated studies take for their prior.
  /// Nothing where there is no such law.
  [[nodiscard]] virtual std::optional<Model> drawn(const Study& /*study*/, Rng& /*rng*/) const {
    return std::nullopt;
  }
};

}  // namespace postern::model
