#pragma once

#include "database.hpp"

namespace postern::owner {

inline constexpr std::int64_t kApplicationId = 0x506f7374;  // "Post"
inline constexpr std::int64_t kSchemaVersion = 1;

/// Creates the tables and the triggers that guard them, and marks the file as ours.
void create_schema(const Database& database);
/// Refuses files that are not ours or newer (ledger_foreign) and those whose tables or triggers are not
/// exactly the ones created (ledger_tampered): a trigger that is gone guards nothing.
void check_schema(const Database& database);

}  // namespace postern::owner
