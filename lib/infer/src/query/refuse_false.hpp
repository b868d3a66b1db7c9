#pragma once

#include <span>

#include "postern/release/release.hpp"

namespace postern::infer {

/// A release that is not true would give a posterior that is not true. Throws release_inconsistent.
void refuse_false(std::span<const release::Release> releases);

}  // namespace postern::infer
