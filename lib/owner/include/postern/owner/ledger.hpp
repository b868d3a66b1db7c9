#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/units.hpp"
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
  std::string at;                      ///< UTC, to the second
  std::string mac;                     ///< hex
  bool published = false;
};

/// The gate's book: one SQLite file and one key file (0600) beside it, for one dataset (privacy-core 5 with A18).
/// Guarantees: a charge is committed and fsynced before its token exists; the database itself refuses an overdraft;
/// every row is a link of an HMAC chain; concurrent processes serialise.
class Ledger {
 public:
  /// Makes a new ledger and key file. Throws ledger_exists.
  static Ledger create(const std::string& path, const DatasetTerms& terms);
  /// Opens and verifies. Throws ledger_missing, _foreign, _tampered, _exposed, _busy.
  static Ledger open(const std::string& path);
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
  void record_published(const std::string& release_id, const std::string& document_sha256);

  [[nodiscard]] Balance balance() const;
  [[nodiscard]] std::vector<ChargeRow> charges() const;
  /// Checks the whole chain; returns the number of rows. Throws ledger_tampered.
  std::uint64_t verify_chain() const;
  /// Declares that the records changed: a new record_set id, the same budget.
  void new_records(Entropy& entropy);
  /// Canonical JSON lines: rows, MACs, totals.
  [[nodiscard]] std::string export_lines() const;

 private:
  struct Book;
  explicit Ledger(std::unique_ptr<Book> book);
  std::unique_ptr<Book> book_;
};

/// Facts of a published document that the book must agree with.
struct PublishedFact {
  std::string release_id;
  std::uint64_t seq = 0;
  std::string head;
  std::string document_sha256;
};
/// Does the book hold this document's charge (id, seq, MAC)? Rollbacks show up here.
[[nodiscard]] bool holds(const Ledger& ledger, const PublishedFact& fact);
/// Adds the missing 'published' events of documents whose charge is in the book; returns how many were added.
std::uint64_t reconcile(Ledger& ledger, const std::vector<PublishedFact>& documents);

}  // namespace postern::owner
