#pragma once

#include <optional>
#include <string>

#include "postern/model/kinds/markov_selection.hpp"

namespace postern::app {

// --select, as plan, release, audit and calibrate share it.

inline constexpr const char* kSelectHelp =
    "have the release choose a network of the study's columns: tree, or adaptive (a tree and more pairs); "
    "the study then needs no [model]";

[[nodiscard]] inline std::optional<model::Selection> selection_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return model::parse_selection(*text);
}

}  // namespace postern::app
