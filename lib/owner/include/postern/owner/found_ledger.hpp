#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/owner/ledger.hpp"

namespace postern::owner {

/// A new ledger, and what its owner should be told of the list of ledgers, if anything.
struct FoundLedger {
  Ledger ledger;
  std::optional<std::string> note;
};

/// Makes the ledger of a dataset (`Ledger::create`), unless this user has one for that dataset already: two
/// ledgers would each spend the whole budget on the same records. Looks beside `path` and in the user's list
/// of ledgers (`$XDG_STATE_HOME/postern/ledgers`, mode 0600, names of datasets and paths only), and adds the
/// new one to it. Both are a help, not a guarantee: whoever moves a ledger or works as another user is not
/// stopped, and a list that cannot be kept is a note. Throws ledger_exists, naming the other ledger, unless
/// `another`; and what `Ledger::create` throws.
[[nodiscard]] FoundLedger found_ledger(const std::string& path, const DatasetTerms& terms, bool another);

}  // namespace postern::owner
