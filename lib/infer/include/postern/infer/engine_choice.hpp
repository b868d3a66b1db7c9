#pragma once

#include <string>

namespace postern::infer {

enum class EngineChoice { automatic, exact, augment, gibbs, naive };

/// "auto", "exact", "augment", "gibbs" or "naive". Throws bad_option with the nearest name.
[[nodiscard]] EngineChoice parse_engine(const std::string& text);

}  // namespace postern::infer
