#pragma once

#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Puts a prior, in words, in the place of the releases' own: "learned" into their models, numbers into the
/// options. Throws bad_prior. @pre at least one release
void give_prior(const std::string& words, std::vector<release::Release>& releases, InferOptions& options);

}  // namespace postern::infer
