#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/units.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"
#include "postern/owner/charge.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// The public terms of a dataset, fixed when its ledger is made.
struct DatasetTerms {
  std::string dataset;
  model::PrivacyPolicy privacy;
  Spend budget{Currency::pure, 0};
};

struct Balance {
  DatasetTerms terms;
  Spend spent{Currency::pure, 0};
  Spend left{Currency::pure, 0};
  std::uint64_t charges = 0;
  std::uint64_t published = 0;
  std::string record_set;
};

/// What became of one release, as the book tells it.
struct ChargeRow {
  std::uint64_t seq = 0;
  std::string release_id;
  Spend cost{Currency::pure, 0};
  std::string mechanism;
  std::string record_set;
  std::string at;   ///< UTC, to the second
  std::string mac;  ///< hex
  bool published = false;
  std::string document_sha256;  ///< hex, once published
};

/// Facts of a published document that the book must agree with.
struct PublishedFact {
  std::string release_id;
  std::uint64_t seq = 0;
  std::string head;
  std::string document_sha256;
};

/// The gate's book: one SQLite file and one key file (0600) beside it, for one dataset. Guarantees: a charge
/// is committed and fsynced, in that one file, before its token exists; the database itself refuses an
/// overdraft; every row is a link of an HMAC chain; concurrent processes serialise. One thread at a time uses
/// a Ledger, never a process that inherited it by fork, and no longer than its file is where it was opened
/// (ledger_missing, ledger_tampered). What the chain can and cannot show: ledger.md beside the source.
class Ledger {
 public:
  /// How long to wait for other processes before ledger_busy.
  static constexpr std::chrono::milliseconds kPatience{30000};

  /// Makes a new ledger and its key file `<path>.key`, or nothing. Throws ledger_exists, also when only the
  /// key is there: a lost ledger must not come back with a fresh budget.
  static Ledger create(const std::string& path, const DatasetTerms& terms);
  /// Opens, and verifies the whole chain (about two microseconds a row).
  /// Throws ledger_missing, _foreign, _tampered, _exposed, _unwritable, _busy, and unsupported on network
  /// disks.
  static Ledger open(const std::string& path, std::chrono::milliseconds patience = kPatience);
  /// A ledger that lives in memory and pays for rehearsals on made-up records only (`postern audit`).
  static Ledger rehearsal(const DatasetTerms& terms);
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// Refuses (ledger_mismatch) a study whose dataset, adjacency, unit or currency is not the ledger's.
  void check_terms(const model::Study& study) const;
  /// Commits the plan's cost and returns the proof. Throws budget_exhausted, leaving nothing behind.
  [[nodiscard]] ChargeToken charge(const model::Study& study, const model::NoisePlan& plan, Entropy& entropy);
  /// Notes that the document with this SHA-256 was published.
  /// Noting the same twice is harmless; another hash for the same release is ledger_mismatch.
  void record_published(const std::string& release_id, const std::string& document_sha256);

  [[nodiscard]] const DatasetTerms& terms() const;
  [[nodiscard]] Balance balance() const;
  [[nodiscard]] std::vector<ChargeRow> charges() const;
  [[nodiscard]] std::optional<ChargeRow> find_charge(const std::string& release_id) const;
  /// Checks the file, the whole chain and the total; returns the number of rows. Throws ledger_tampered.
  std::uint64_t verify_chain() const;
  /// Copies the ledger and its key, as of one moment, to `path` and `<path>.key`, both new and private, and
  /// checks the copy; returns the number of rows. Nobody can spend meanwhile. Throws as `create`.
  std::uint64_t backup(const std::string& path) const;
  /// How many charges were committed through this object: after a failure, whether a charge stands.
  [[nodiscard]] std::uint64_t charges_made() const;
  /// Declares that the records changed: a new record_set id, the same budget.
  void new_records(Entropy& entropy);
  /// Canonical JSON lines: rows, MACs, totals.
  [[nodiscard]] std::string export_lines() const;

 private:
  friend std::uint64_t reconcile(Ledger& ledger, const std::vector<PublishedFact>& documents);
  struct Book;
  struct Turn;
  explicit Ledger(std::unique_ptr<Book> book);
  std::unique_ptr<Book> book_;
};

/// Does the book hold this document's charge (id, seq, MAC; and the document's hash, if one was noted and is
/// given)? Rollbacks show up here: a document whose charge is gone proves that the ledger was cut back.
[[nodiscard]] bool holds(const Ledger& ledger, const PublishedFact& fact);
/// Adds the missing 'published' events of documents whose charge is in the book; returns how many were added.
std::uint64_t reconcile(Ledger& ledger, const std::vector<PublishedFact>& documents);

}  // namespace postern::owner
