#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postern::infer {

enum class EngineChoice { automatic, exact, tables, moments, augment, gibbs, naive, map, bounds, potentials };

/// "auto", "exact", "tables", "moments", "augment", "gibbs", "naive", "map", "bounds" or "potentials". Throws
/// bad_option with the nearest name.
[[nodiscard]] EngineChoice parse_engine(const std::string& text);
[[nodiscard]] std::string_view to_text(EngineChoice engine);
/// "auto, exact or naive"
[[nodiscard]] std::string engines_text(const std::vector<EngineChoice>& engines);

}  // namespace postern::infer
