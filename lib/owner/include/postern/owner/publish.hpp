#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postern::owner {

// How a document reaches its place: whole and durable, or not at all.

/// What can be known before the charge: the place is free (or `force`), its directory takes files, there is
/// room. Only a regular file is ever replaced, and never one of a ledger's. Throws output_exists,
/// output_unwritable, disk_full. Leaves nothing behind.
void check_publishable(const std::string& path, bool force, std::uint64_t expected_bytes = 1U << 20U);

/// Writes a file without a name (or beside `path`), syncs it, gives it its name, syncs the directory. Without
/// `force` an existing file is never replaced, not even one that appeared meanwhile. On failure nothing stays
/// and `path` is as it was. `mode` is the new file's: a public document need not be private.
void publish_document(const std::string& path, std::string_view bytes, bool force, unsigned mode = 0600);

}  // namespace postern::owner
