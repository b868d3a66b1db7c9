#pragma once

namespace postern {

inline constexpr const char kVersion[] = "0.1.0";

}  // namespace postern
