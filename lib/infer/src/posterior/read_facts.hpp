#pragma once

#include <filesystem>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// What posterior.json and public_rows.json of a folder say; draws and summary are still to be read.
/// Throws input_missing, input_unreadable.
[[nodiscard]] Posterior read_facts(const std::filesystem::path& folder);

}  // namespace postern::infer
