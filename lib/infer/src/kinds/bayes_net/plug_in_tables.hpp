#pragma once

#include <vector>

#include "postern/release/release.hpp"

namespace postern::infer {

/// All cells of all tables as one release gives them to somebody who ignores its noise: means given its
/// counts as they are, or the probabilities that it chose.
[[nodiscard]] std::vector<double> plug_in_tables(const release::Release& release);

}  // namespace postern::infer
