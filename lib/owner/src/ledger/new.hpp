#pragma once

#include <optional>
#include <string>

#include "durable_file.hpp"
#include "files.hpp"

namespace postern::owner {

/// Two files that appear under a free name, the key first and the whole ledger last, or not at all.
class NewLedger {
 public:
  /// Writes the key and an empty draft of the ledger. Throws ledger_exists, disk_full, output_unwritable.
  NewLedger(std::string path, const LedgerKey& key);
  /// The database to fill, and to close before `publish`.
  [[nodiscard]] const std::string& draft() const { return draft_->path(); }
  /// Gives the draft its name, durably.
  void publish();

 private:
  std::string path_;
  std::optional<RemoveUnlessKept> key_file_;
  std::optional<RemoveUnlessKept> draft_;
};

/// Says why a ledger cannot be made there. @param error errno
[[noreturn]] void fail_to_create(int error, const std::string& path);

}  // namespace postern::owner
