#pragma once

#include "postern/core/json_value.hpp"
#include "postern/model/node.hpp"

namespace postern::model {

/// How studies, documents and `--prior` spell the default prior whose scale is learned from the release.
inline constexpr const char* kLearned = "learned";

/// prior = "learned"
[[nodiscard]] inline bool says_learned(Node& node) {
  return node.has("prior") && node.is_text("prior") && node.text("prior") == kLearned;
}

/// Does the model state its prior by numbers, so that a kind reads them? What else there is, read_model
/// reads.
[[nodiscard]] inline bool states_numbers(Node& node) {
  return (node.states_all() || node.has("prior")) && !says_learned(node);
}

}  // namespace postern::model
