#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "postern/core/sha256.hpp"

#include "database.hpp"
#include "files.hpp"

struct evp_mac_ctx_st;

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
  explicit Chain(LedgerKey key);

  /// Seals a link after `head`, inserts it and returns the new head. @pre inside a Transaction, head is the
  /// newest.
  Head append(const Database& database, const Head& head, LinkKind kind, Cells cells) const;
  /// Walks every link after `from` and returns the newest. Throws ledger_tampered at the first that does not
  /// fit.
  [[nodiscard]] Head verify(const Database& database, const Head& from) const;
  /// Whether the link that was checked before is there still.
  [[nodiscard]] bool holds(const Database& database, const Head& head) const;
  [[nodiscard]] const LedgerKey& key() const { return key_; }

 private:
  [[nodiscard]] Digest seal(const Link& link) const;
  [[nodiscard]] Head check(const Database& database, LinkKind kind, Cells row) const;
  struct Free {
    void operator()(evp_mac_ctx_st* keyed) const;
  };
  LedgerKey key_;
  std::unique_ptr<evp_mac_ctx_st, Free> keyed_;  ///< keyed once: a walk seals many links
};

}  // namespace postern::owner
