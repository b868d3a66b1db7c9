#pragma once

#include <cstddef>
#include <string>

#include "postern/assess/width.hpp"

namespace postern::app {

// What a plan says beside its tables.

[[nodiscard]] std::string note_on_few(const assess::ExpectedWidth& width);
[[nodiscard]] std::string note_on_vague_prior(const assess::ExpectedWidth& width);
/// Where `infer` holds at most so many draws a chain.
[[nodiscard]] std::string note_on_draws(std::size_t most);

}  // namespace postern::app
