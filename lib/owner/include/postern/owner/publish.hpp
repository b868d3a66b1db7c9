#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postern::owner {

// How a document reaches its place, before the charge and after it: whole and durable, or not at all.

/// What can be known before the charge: the place is free (or `force`), its directory takes files, there is
/// room. Throws output_exists, output_unwritable, disk_full. Leaves nothing behind.
void check_publishable(const std::string& path, bool force, std::uint64_t expected_bytes = 1U << 20U);

/// Writes a temporary file beside `path`, syncs it, renames it, syncs the directory. Without `force` an
/// existing file is never replaced, not even one that appeared meanwhile. On failure the temporary file is
/// gone and `path` is as it was.
void publish_document(const std::string& path, std::string_view bytes, bool force);

}  // namespace postern::owner
