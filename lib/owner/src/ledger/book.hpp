#pragma once

#include <string>
#include <string_view>

#include "postern/owner/ledger.hpp"

#include "chain.hpp"

namespace postern::owner {

/// An open ledger: its connection, its chain, and how far the chain was checked.
struct Ledger::Book {
  Book(Database opened, LedgerKey key);

  /// Fills an empty database: schema, then the dataset as link 0.
  void found(const DatasetTerms& dataset);
  /// Checks schema and chain, reads the terms.
  void read();
  /// Refuses use after fork (two processes on one SQLite connection would corrupt the file), and of a file
  /// that is no longer where it was opened.
  void check_usable() const;
  /// Checks that the last row seen is still there, and what other processes appended since. @pre inside a
  /// Transaction
  void catch_up();
  /// Adds a publication event unless it is there; true if it was added.
  bool note(std::string_view kind, const std::string& release_id, const std::string& document_sha256);
  [[nodiscard]] std::string record_set() const;
  [[nodiscard]] Spend spent() const;

  Database database;
  Chain chain;
  Head head;
  DatasetTerms terms;
  std::uint64_t charges_made = 0;  ///< through this object
  int process;
};

/// One look at the book, or one entry: it is in its place, and checked up to its newest row.
struct Ledger::Turn {
  Turn(Book& book, Access access);
  Transaction transaction;
};

/// Now, in UTC, to the second.
[[nodiscard]] std::string timestamp();
/// Which Postern writes the row: "postern 0.1.0".
[[nodiscard]] std::string tool_name();
/// 128 bits as 32 hex digits.
[[nodiscard]] std::string random_id(Entropy& entropy);

}  // namespace postern::owner
