#include "place.hpp"

#include <array>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postern/core/error.hpp"

#include "durable_file.hpp"
#include "files.hpp"

namespace postern::owner {
namespace {

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

/// What a file is by its suffix, or nothing.
const char* kind_by_name(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".toml") return "a study";
  if (suffix == ".json") return "a release document";
  if (suffix == ".key") return "a ledger's key";
  if (suffix == ".csv" || suffix == ".parquet" || suffix == ".arrow" || suffix == ".feather")
    return "a file of records";
  return nullptr;
}

}  // namespace

std::vector<std::string> side_files(const std::string& ledger_path) {
  return {key_path(ledger_path), ledger_path + "-journal", ledger_path + "-wal", ledger_path + "-shm"};
}

bool is_database(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, kMagic.size()> start{};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return file.get() >= 0 &&
         ::read(file.get(), start.data(), start.size()) == static_cast<ssize_t>(start.size()) &&
         kMagic == std::string_view(start.data(), start.size());
}

void check_free(const std::string& path) {
  const Quotation name = from_option(path);
  if (exists(path)) {
    throw Error(ErrorCode::ledger_exists,
                {"'", name, "' exists; a ledger is never replaced, since its budget may have been spent"});
  }
  if (exists(key_path(path))) {
    throw Error(
        ErrorCode::ledger_exists,
        {"there is a key '", from_option(key_path(path)), "' without its ledger '", name,
         "'; if the ledger was lost, restore it from a backup, since its budget may have been spent; if "
         "none was ever here (`postern ledger init` or `backup` was stopped), remove the key and run again"});
  }
  for (const std::string& file : side_files(path)) {
    if (!exists(file)) continue;
    throw Error(ErrorCode::ledger_exists,
                {"'", from_option(file),
                 "' was left by a ledger that is gone; restore that ledger beside it, "
                 "or choose another name"});
  }
}

void check_whole(const std::string& path) {
  const Quotation name = from_option(path);
  const Quotation key = from_option(key_path(path));
  const bool ledger = exists(path);
  if (ledger && exists(key_path(path))) return;
  if (ledger) {
    throw Error(ErrorCode::ledger_missing,
                {"the ledger '", name, "' has lost its key '", key,
                 "'; put the key back from where you keep it or from a backup: without it no charge can be "
                 "checked or made"});
  }
  if (exists(key_path(path))) {
    throw Error(ErrorCode::ledger_missing,
                {"there is no '", name, "', although its key '", key,
                 "' is here; restore the ledger from a backup, or, if `postern ledger init` or `postern "
                 "ledger backup` "
                 "was stopped before it made one, remove the key and run that again"});
  }
  throw Error(
      ErrorCode::ledger_missing,
      {"there is no '", name, "'; `postern ledger init` makes a ledger and its key, which stay together"});
}

void check_kind(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  // A ledger in use is private and has its key, so this opens none.
  const bool exposed = (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  const bool named_otherwise = kind_by_name(path) != nullptr && !exists(key_path(path));
  if ((exposed || named_otherwise) && !is_database(path)) refuse_foreign_file(path);
}

void refuse_foreign_file(const std::string& path) {
  const char* kind = kind_by_name(path);
  if (kind == nullptr)
    throw Error(ErrorCode::ledger_foreign, {"'", from_option(path), "' is not a ledger of Postern"});
  throw Error(ErrorCode::ledger_foreign,
              {"'", from_option(path), "' is not a ledger but, by its name, ", from_study(kind),
               "; name the file that `postern ledger init` made, such as survey.ledger"});
}

void refuse_moved_ledger(const std::string& path) {
  throw Error(
      ErrorCode::ledger_missing,
      {"the ledger '", from_option(path),
       "' was deleted, moved or replaced after it was opened; nothing more is charged to it; put it back "
       "and open it again"});
}

void remove_stale_drafts(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(path), failure)) {
    if (is_temporary_name(entry.path().filename().string(), path)) fs::remove(entry.path(), failure);
  }
}

}  // namespace postern::owner
