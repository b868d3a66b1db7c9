#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "postern/core/sha256.hpp"

#include "ledger_database.hpp"
#include "ledger_files.hpp"

namespace postern::owner {

/// The tables a link can live in.
enum class LinkKind { dataset, charge, event };

/// One row of the book without its MAC: seq first, prev_mac last.
struct Link {
  LinkKind kind = LinkKind::dataset;
  Cells cells;
};

/// The last link that was checked.
struct Head {
  std::int64_t seq = -1;
  Digest mac{};
};

/// The HMAC chain over all rows: mac = HMAC-SHA-256(key, canonical row), where the row holds the mac before
/// it. Finds: any changed cell, any row inserted, removed or moved before the last one. Cannot find: a ledger
/// cut back to an earlier state of itself; published documents carry (seq, mac) for that. Who has the key can
/// forge.
class Chain {
 public:
  explicit Chain(LedgerKey key) : key_(std::move(key)) {}

  /// Seals a link after `head`, inserts it and returns the new head. @pre inside a Transaction, head is the
  /// newest.
  Head append(const Database& database, const Head& head, LinkKind kind, Cells cells) const;
  /// Walks every link after `from` and returns the newest. Throws ledger_tampered at the first that does not
  /// fit.
  [[nodiscard]] Head verify(const Database& database, const Head& from) const;
  /// The link at `seq`, its own MAC checked but not its ancestors. Throws ledger_tampered if there is none.
  [[nodiscard]] Head trust(const Database& database, std::int64_t seq) const;

 private:
  [[nodiscard]] Digest seal(const Link& link) const;
  [[nodiscard]] Head check(const Database& database, LinkKind kind, Cells row) const;
  LedgerKey key_;
};

/// Place of the newest link, unchecked.
[[nodiscard]] std::int64_t newest_seq(const Database& database);

}  // namespace postern::owner
