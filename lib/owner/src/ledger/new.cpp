#include "new.hpp"

#include <cerrno>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/owner/crash_point.hpp"

#include "place.hpp"

namespace postern::owner {

void fail_to_create(int error, const std::string& path) {
  if (error == EEXIST) check_free(path);
  const Quotation name = from_option(path);
  if (is_out_of_space(error)) throw Error(ErrorCode::disk_full, {"no room for the ledger '", name, "'"});
  throw Error(ErrorCode::output_unwritable,
              {"cannot create '", name, "'; check that its directory exists and may be written"});
}

NewLedger::NewLedger(std::string path, const LedgerKey& key) : path_(std::move(path)) {
  check_free(path_);
  if (const int error = key.write(key_path(path_)); error != 0) fail_to_create(error, path_);
  key_file_.emplace(key_path(path_));
  crash_point(CrashPoint::after_new_key);
  remove_stale_drafts(path_);
  draft_.emplace(temporary_name(path_));
  if (const int error = write_new_file(draft(), {}); error != 0) fail_to_create(error, path_);
}

void NewLedger::publish() {
  crash_point(CrashPoint::before_new_ledger);
  if (const int error = rename_file(draft(), path_, false); error != 0) fail_to_create(error, path_);
  draft_->keep();
  key_file_->keep();
  if (const int error = sync_directory_of(path_); error != 0) fail_to_create(error, path_);
}

}  // namespace postern::owner
