#include "database.hpp"

#include <array>
#include <cstring>
#include <thread>

#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

#include "place.hpp"

namespace postern::owner {

namespace {

std::int64_t bind_cell(sqlite3_stmt* statement, int at, const Cell& cell) {
  struct Binder {
    sqlite3_stmt* statement;
    int at;
    int operator()(std::monostate) const { return sqlite3_bind_null(statement, at); }
    int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, at, value); }
    int operator()(const std::string& value) const {
      return sqlite3_bind_text64(statement, at, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }
    int operator()(const Blob& value) const {
      return sqlite3_bind_blob64(statement, at, value.data(), value.size(), SQLITE_TRANSIENT);
    }
  };
  return std::visit(Binder{statement, at}, cell);
}

Error damaged(const Quotation& name) {
  return {ErrorCode::ledger_tampered, {"the ledger '", name, "' is damaged; restore it from a backup"}};
}

/// SQLite also says so when a damaged schema claims a size beyond all reason.
bool is_out_of_memory() {
  void* const room = sqlite3_malloc(1 << 20);
  sqlite3_free(room);
  return room == nullptr;
}

}  // namespace

void Query::PutBack::operator()(sqlite3_stmt* statement) const {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  place->push_back(statement);
}

Shelf::~Shelf() {
  for (const auto& [sql, statements] : places_) {
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  }
}

Query::Query(const Database& database, const char* sql)
    : database_(&database), statement_(nullptr, PutBack{&database.shelf_->place(sql)}) {
  std::vector<sqlite3_stmt*>& place = *statement_.get_deleter().place;
  if (!place.empty()) {
    statement_.reset(place.back());
    place.pop_back();
    return;
  }
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(database.connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                         nullptr) != SQLITE_OK) {
    database.fail();
  }
  statement_.reset(statement);
}

Query& Query::bind(const Cell& cell) {
  if (bind_cell(statement_.get(), ++bound_, cell) != SQLITE_OK) database_->fail();
  return *this;
}

bool Query::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      database_->fail();
  }
}

void Query::run() {
  while (step()) {
  }
}

Cell Query::cell(int column) const {
  sqlite3_stmt* statement = statement_.get();
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_TEXT:
      return text(column);
    default: {
      const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return bytes == nullptr ? Blob() : Blob(bytes, bytes + size);
    }
  }
}

Cells Query::cells() const {
  Cells out;
  for (int column = 0; column < columns(); ++column) out.push_back(cell(column));
  return out;
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Query::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

Database Database::open(const std::string& path, std::chrono::milliseconds patience) {
  Database database(path);
  database.connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, patience);
  return database;
}

Database Database::in_memory() {
  Database database(":memory:");
  database.connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, kPatience);
  return database;
}

void Database::connect(int flags, std::chrono::milliseconds patience) {
  sqlite3* connection = nullptr;
  const int status = sqlite3_open_v2(path_.c_str(), &connection,
                                     flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  connection_.reset(connection);
  if (status != SQLITE_OK) fail();
  refuse_stray_log();
  sqlite3_busy_timeout(connection, static_cast<int>(patience.count()));
  // A hostile file may carry triggers, views or corrupt cells of its own: run none of its code, believe no
  // cell size.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 20);
  run("PRAGMA cell_size_check = ON");
  run("PRAGMA foreign_keys = ON");
  run("PRAGMA recursive_triggers = ON");
  // With a rollback journal a commit is the removal of the journal: EXTRA syncs its directory as well, so
  // that no journal comes back after a power cut and undoes a charge.
  run("PRAGMA synchronous = EXTRA");
}

void Database::refuse_stray_log() const {
  const std::string log = path_ + "-wal";
  if (::access(log.c_str(), F_OK) != 0) return;
  // Read through SQLite's own descriptor: closing another one would drop this process's locks on the file.
  sqlite3_file* file = nullptr;
  std::array<std::uint8_t, 2> form{};
  constexpr sqlite3_int64 kFormAt = 18;  // 2: the file keeps a write-ahead log
  if (sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr ||
      file->pMethods->xRead(file, form.data(), static_cast<int>(form.size()), kFormAt) != SQLITE_OK ||
      form[0] != 1) {
    return;
  }
  throw Error(
      ErrorCode::ledger_foreign,
      {"'", from_option(log), "' is the log of another copy of this ledger, and may hold charges that '",
       from_option(path_),
       "' lacks; put back the ledger that it was left by, or, if that is lost, move the log away and run "
       "`postern ledger verify` with the releases you published"});
}

void Database::check_in_place() const {
  int moved = 0;
  if (sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK) return;
  if (moved != 0) refuse_moved_ledger(path_);
}

void Database::keep_in_one_file(std::chrono::milliseconds patience) const {
  if (mutant(50)) {
    static_cast<void>(text("PRAGMA journal_mode = WAL"));
    return;
  }
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      if (text("PRAGMA journal_mode = DELETE") != "wal") return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::ledger_busy) throw;
    }
    if (std::chrono::steady_clock::now() >= end) {
      throw Error(ErrorCode::ledger_busy,
                  {"another process holds the ledger '", from_option(path_), "'; run again later"});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void Database::copy_to(const Database& empty) const {
  sqlite3_backup* const backup =
      sqlite3_backup_init(empty.connection_.get(), "main", connection_.get(), "main");
  if (backup == nullptr) empty.fail();
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) empty.fail();
}

void Database::run(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::integer(const char* sql) const {
  Query one = query(sql);
  return one.step() ? one.integer(0) : 0;
}

std::string Database::text(const char* sql) const {
  Query one = query(sql);
  return one.step() ? one.text(0) : std::string();
}

void Database::fail() const {
  const int status = connection_ ? sqlite3_extended_errcode(connection_.get()) : SQLITE_NOMEM;
  const Quotation name = from_option(path_);
  if (status == SQLITE_CONSTRAINT_TRIGGER &&
      std::strcmp(sqlite3_errmsg(connection_.get()), kOverBudget) == 0) {
    throw Error(ErrorCode::budget_exhausted, {"the ledger '", name, "' has too little budget left"});
  }
  switch (status & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      throw Error(ErrorCode::ledger_busy,
                  {"another process holds the ledger '", name, "'; it was left as it is, run again later"});
    case SQLITE_FULL:
      throw Error(ErrorCode::disk_full, {"no room on the disk of the ledger '", name, "'"});
    case SQLITE_READONLY:
      if (status == SQLITE_READONLY_DBMOVED) refuse_moved_ledger(path_);
      [[fallthrough]];
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_IOERR:
      throw Error(
          ErrorCode::ledger_unwritable,
          {"the ledger '", name, "' or its directory cannot be written; a charge must reach the disk"});
    case SQLITE_NOTADB:
      refuse_foreign_file(path_);
    case SQLITE_CORRUPT:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR:  // our statements fit our schema: the file is not what it claims
      throw damaged(name);
    case SQLITE_NOMEM:
      if (is_out_of_memory()) throw Error(ErrorCode::out_of_memory, {"no memory for the ledger"});
      throw damaged(name);
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
      throw Error(ErrorCode::ledger_tampered, {"the ledger '", name, "' refuses a row of its own form"});
    default:
      throw Error(ErrorCode::internal,
                  {"SQLite status ", public_number(status), " on the ledger '", name, "'"});
  }
}

Transaction::Transaction(const Database& database, Access access) : database_(database) {
  database.run(access == Access::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {  // SQLite has rolled back already
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace postern::owner
