#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <sqlite3.h>

namespace postern::owner {

using Blob = std::vector<std::uint8_t>;
/// One value of a row, as SQLite stores it in a STRICT table.
using Cell = std::variant<std::monostate, std::int64_t, std::string, Blob>;
using Cells = std::vector<Cell>;

class Database;

/// One prepared statement.
class Query {
 public:
  /// Binds the next parameter.
  Query& bind(const Cell& cell);
  /// True while there is a row.
  bool step();
  void run();
  [[nodiscard]] Cell cell(int column) const;
  [[nodiscard]] Cells cells() const;
  [[nodiscard]] int columns() const { return sqlite3_column_count(statement_.get()); }
  [[nodiscard]] std::string name(int column) const { return sqlite3_column_name(statement_.get(), column); }
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  friend class Database;
  /// Puts a used statement back where the next query with the same words finds it.
  struct PutBack {
    std::vector<sqlite3_stmt*>* place;
    void operator()(sqlite3_stmt* statement) const;
  };
  Query(const Database& database, const char* sql);
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, PutBack> statement_;
  int bound_ = 0;
};

/// Statements that are compiled but not in use, by their words: compiling one with its triggers takes longer
/// than running it.
class Shelf {
 public:
  Shelf() = default;
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;
  ~Shelf();
  std::vector<sqlite3_stmt*>& place(const char* sql) { return places_[sql]; }

 private:
  std::map<std::string, std::vector<sqlite3_stmt*>> places_;  // nodes stay where they are
};

/// One connection, with every safety switch of SQLite on. Its failures become Errors whose text never repeats
/// SQLite's.
class Database {
 public:
  static constexpr std::chrono::milliseconds kPatience{30000};

  /// Opens an existing file (@pre its directory is resolved). Waits up to `patience` for other processes'
  /// locks.
  static Database open(const std::string& path, std::chrono::milliseconds patience);
  static Database in_memory();

  void run(const char* sql) const;
  [[nodiscard]] Query query(const char* sql) const { return {*this, sql}; }
  /// The single integer, or text, that a statement yields.
  [[nodiscard]] std::int64_t integer(const char* sql) const;
  [[nodiscard]] std::string text(const char* sql) const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Refuses (ledger_missing) once the file was deleted, moved or replaced: what is written then is lost.
  void check_in_place() const;
  /// Makes the file all there is: no write-ahead log, also where an earlier Postern used one. A charge that
  /// is committed is in the file, so that a copy of the file has it. Waits up to `patience` for other
  /// processes.
  void keep_in_one_file(std::chrono::milliseconds patience) const;
  /// Copies every page, as of one moment, into an empty database.
  void copy_to(const Database& empty) const;

 private:
  friend class Query;
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  explicit Database(std::string path) : path_(std::move(path)) {}
  void connect(int flags, std::chrono::milliseconds patience);
  /// A write-ahead log beside a file that keeps none is another file's, and SQLite would believe it.
  void refuse_stray_log() const;
  [[noreturn]] void fail() const;
  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
  std::unique_ptr<Shelf> shelf_ = std::make_unique<Shelf>();
};

/// A write transaction takes the lock at once, so what it reads stays true until it commits; a snapshot only
/// reads, and sees one state throughout.
enum class Access { write, snapshot };
class Transaction {
 public:
  Transaction(const Database& database, Access access);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();
  /// Leaves the transaction to whoever commits next. Only a planted bug does this.
  void leave_open() { open_ = false; }

 private:
  const Database& database_;
  bool open_ = true;
};

/// What the schema's triggers say when they refuse.
inline constexpr const char* kOverBudget = "over budget";

}  // namespace postern::owner
