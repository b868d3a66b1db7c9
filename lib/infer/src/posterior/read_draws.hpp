#pragma once

#include <filesystem>
#include <string_view>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// The number that the whole text is; no number for what the writer writes of none. Throws a std::exception
/// for anything else.
[[nodiscard]] double read_number(std::string_view text);

/// Fills the draws of a posterior whose facts are known from the chains of its folder, arrays or CmdStan's
/// form. Throws input_missing, input_unreadable.
void read_draws(const std::filesystem::path& folder, Posterior& posterior);

}  // namespace postern::infer
