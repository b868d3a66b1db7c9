#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "postern/core/error.hpp"

namespace postern::infer {

/// What is wrong with a folder that should hold a posterior.
[[nodiscard]] Error no_posterior(const std::filesystem::path& folder, Piece what);
/// Its files are not what the writer writes, or contradict each other.
[[nodiscard]] Error not_together(const std::filesystem::path& folder);

inline constexpr std::size_t kMostFolderBytes = std::size_t{8} << 30;  ///< of one file

/// The bytes of a regular file. Throws input_missing; input_unreadable for pipes, devices and folders, and
/// past `limit` bytes.
[[nodiscard]] std::string read_regular(const std::filesystem::path& path, std::size_t limit);
/// The same, or nothing where there is no such file.
[[nodiscard]] std::optional<std::string> read_if_there(const std::filesystem::path& path, std::size_t limit);

}  // namespace postern::infer
