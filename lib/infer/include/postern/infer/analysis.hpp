#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/infer.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// What an analyst asks for, in words.
struct AnalysisRequest {
  std::string engine = "auto";
  std::optional<std::string> prior;  ///< as parse_prior reads it
  std::vector<std::string> queries;  ///< as parse_query reads them
  bool sensitivity = false;          ///< also under a prior of half and of twice as many records
};

/// The posterior with the answers to all queries behind its parameters. The words are understood, and the
/// releases found to hold what they claim, before any work begins. Throws bad_option, bad_prior,
/// release_inconsistent, and what infer throws.
[[nodiscard]] Posterior analyse(std::span<const release::Release> releases, const AnalysisRequest& request,
                                InferOptions options, const Conversation& conversation);

}  // namespace postern::infer
