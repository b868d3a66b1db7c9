#pragma once

#include <optional>
#include <string>
#include <vector>

namespace postern::owner {

/// One ledger that this user made: whose budget it holds, and where it is (an absolute path).
struct ListedLedger {
  std::string dataset;
  std::string path;
};

/// The list of ledgers that one user made, one a line: dataset, tab, path. Nothing of records is in it. Every
/// call takes the file's lock; none throws for what lies on the disk.
class UserList {
 public:
  /// `$XDG_STATE_HOME/postern/ledgers`, else `~/.local/state/postern/ledgers`; nothing without a home.
  static std::optional<std::string> usual_path();
  explicit UserList(std::string path) : path_(std::move(path)) {}

  /// Every line that can be read; none where there is no list.
  [[nodiscard]] std::vector<ListedLedger> read() const;
  /// Adds a ledger and drops those whose file is gone. False if the list cannot be written.
  [[nodiscard]] bool add(const ListedLedger& ledger) const;

 private:
  std::string path_;
};

}  // namespace postern::owner
