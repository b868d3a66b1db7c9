#pragma once

#include <string>
#include <vector>

namespace postern::owner {

// What lies where a ledger is looked for or made, and what to do about it.

/// Names beside a ledger that are its own: its key, and what SQLite writes while it works.
[[nodiscard]] std::vector<std::string> side_files(const std::string& ledger_path);

/// Whether a file begins as SQLite's do. Opens and closes it, which drops this process's locks on it: never
/// asked of a ledger that may be open.
[[nodiscard]] bool is_database(const std::string& path);

/// A new ledger gets a name that neither it nor a side file has: a lost ledger must not come back with a
/// fresh budget, and SQLite would believe a journal left by another. Throws ledger_exists.
void check_free(const std::string& path);
/// Refuses a ledger, or a key, of which the other half is missing (ledger_missing).
void check_whole(const std::string& path);
/// Before anybody is told to change the mode of a ledger, or to look for its key: it may be no ledger
/// (ledger_foreign).
void check_kind(const std::string& path);
/// The file is no database: says what it is by its name, never by what it holds (ledger_foreign).
[[noreturn]] void refuse_foreign_file(const std::string& path);
/// The file that was opened is not at its name any more (ledger_missing).
[[noreturn]] void refuse_moved_ledger(const std::string& path);
/// Removes what a killed `create` or `backup` left. @pre the caller has just made the key of `path`, so that
/// nobody else is making this ledger.
void remove_stale_drafts(const std::string& path);

}  // namespace postern::owner
