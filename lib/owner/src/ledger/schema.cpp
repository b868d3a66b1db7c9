#include "schema.hpp"

#include <string>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

namespace postern::owner {
namespace {

// Every table: `seq` is the place in the one chain (the dataset is link 0, charges and events follow in one
// order), `mac` seals the other cells, `prev_mac` included.
constexpr const char* kTables = R"sql(
CREATE TABLE dataset(
  seq INTEGER PRIMARY KEY CHECK (seq = 0),
  name TEXT NOT NULL UNIQUE,
  adjacency TEXT NOT NULL CHECK (adjacency IN ('add-remove', 'replace-one')),
  unit_column TEXT,
  at_most INTEGER NOT NULL CHECK (at_most >= 1),
  n_at_most INTEGER CHECK (n_at_most >= 0),
  currency TEXT NOT NULL CHECK (currency IN ('pure', 'zcdp')),
  budget_nano INTEGER NOT NULL CHECK (budget_nano > 0),
  record_set TEXT NOT NULL CHECK (length(record_set) = 32),
  tool TEXT NOT NULL,
  at TEXT NOT NULL,
  prev_mac BLOB NOT NULL CHECK (length(prev_mac) = 32),
  mac BLOB NOT NULL CHECK (length(mac) = 32)
) STRICT;
CREATE TABLE charge(
  seq INTEGER PRIMARY KEY CHECK (seq > 0),
  release_id TEXT NOT NULL UNIQUE CHECK (length(release_id) = 32),
  dataset TEXT NOT NULL REFERENCES dataset(name),
  record_set TEXT NOT NULL CHECK (length(record_set) = 32),
  cost_nano INTEGER NOT NULL CHECK (cost_nano > 0),
  mechanism TEXT NOT NULL,
  spec_sha256 BLOB NOT NULL CHECK (length(spec_sha256) = 32),
  tool TEXT NOT NULL,
  at TEXT NOT NULL,
  prev_mac BLOB NOT NULL CHECK (length(prev_mac) = 32),
  mac BLOB NOT NULL CHECK (length(mac) = 32)
) STRICT;
CREATE TABLE event(
  seq INTEGER PRIMARY KEY CHECK (seq > 0),
  kind TEXT NOT NULL CHECK (kind IN ('published', 'reconciled', 'new-records')),
  release_id TEXT UNIQUE REFERENCES charge(release_id),
  document_sha256 BLOB CHECK (length(document_sha256) = 32),
  record_set TEXT CHECK (length(record_set) = 32),
  at TEXT NOT NULL,
  prev_mac BLOB NOT NULL CHECK (length(prev_mac) = 32),
  mac BLOB NOT NULL CHECK (length(mac) = 32),
  CHECK ((kind = 'new-records') = (record_set IS NOT NULL)),
  CHECK ((kind = 'new-records') = (release_id IS NULL)),
  CHECK ((kind = 'new-records') = (document_sha256 IS NULL))
) STRICT;
)sql";

// Nothing is ever changed or removed. The insert triggers also refuse what INSERT OR REPLACE would delete in
// passing, so that it fails on connections that forgot recursive_triggers, and unknown datasets where
// foreign_keys is off.
constexpr const char* kGuards = R"sql(
CREATE TRIGGER dataset_insert BEFORE INSERT ON dataset BEGIN
  SELECT RAISE(ABORT, 'one ledger, one dataset') WHERE EXISTS (SELECT 1 FROM dataset);
END;
CREATE TRIGGER dataset_update BEFORE UPDATE ON dataset BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER dataset_delete BEFORE DELETE ON dataset BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER charge_update BEFORE UPDATE ON charge BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER charge_delete BEFORE DELETE ON charge BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER event_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER event_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'rows are final'); END;
CREATE TRIGGER event_insert BEFORE INSERT ON event BEGIN
  SELECT RAISE(ABORT, 'out of order') WHERE NEW.seq IS NOT
    1 + max(coalesce((SELECT max(seq) FROM charge), 0), coalesce((SELECT max(seq) FROM event), 0));
  SELECT RAISE(ABORT, 'noted before') WHERE EXISTS (SELECT 1 FROM event WHERE release_id = NEW.release_id);
  SELECT RAISE(ABORT, 'unknown release') WHERE NEW.release_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM charge WHERE release_id = NEW.release_id);
END;
)sql";

constexpr const char* kChargeGuardHead = R"sql(
CREATE TRIGGER charge_insert BEFORE INSERT ON charge BEGIN
  SELECT RAISE(ABORT, 'out of order') WHERE NEW.seq IS NOT
    1 + max(coalesce((SELECT max(seq) FROM charge), 0), coalesce((SELECT max(seq) FROM event), 0));
  SELECT RAISE(ABORT, 'charged before') WHERE EXISTS (SELECT 1 FROM charge WHERE release_id = NEW.release_id);
  SELECT RAISE(ABORT, 'unknown dataset') WHERE NOT EXISTS (SELECT 1 FROM dataset WHERE name = NEW.dataset);
  SELECT RAISE(ABORT, 'cost must be positive') WHERE NEW.cost_nano IS NULL OR NEW.cost_nano <= 0;
)sql";

// Written as a difference: spent <= budget holds, so nothing overflows.
constexpr const char* kOverdraft = R"sql(
  SELECT RAISE(ABORT, 'over budget') WHERE NEW.cost_nano > (SELECT budget_nano FROM dataset WHERE name = NEW.dataset)
    - (SELECT coalesce(sum(cost_nano), 0) FROM charge);
)sql";
constexpr const char* kOverdraftByOne = R"sql(
  SELECT RAISE(ABORT, 'over budget') WHERE NEW.cost_nano > 1 + (SELECT budget_nano FROM dataset WHERE name = NEW.dataset)
    - (SELECT coalesce(sum(cost_nano), 0) FROM charge);
)sql";

std::string schema_sql() {
  std::string sql = std::string(kTables) + kGuards + kChargeGuardHead;
  if (mutant(14)) {
    sql += kOverdraftByOne;
  } else if (!mutant(16)) {
    sql += kOverdraft;
  }
  return sql + "END;\n";
}

std::string schema_of(const Database& database) {
  std::string text;
  Query rows =
      database.query("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name");
  while (rows.step()) {
    for (int column = 0; column < 4; ++column) text += rows.text(column) + '\x1f';
  }
  return text;
}

/// What SQLite makes of our own words.
const std::string& expected_schema() {
  static const std::string text = [] {
    const Database reference = Database::in_memory();
    create_schema(reference);
    return schema_of(reference);
  }();
  return text;
}

}  // namespace

void create_schema(const Database& database) {
  database.run(schema_sql().c_str());
  database.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
  database.run(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
}

void check_schema(const Database& database) {
  const Quotation name = from_option(database.path());
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    throw Error(ErrorCode::ledger_foreign, {"'", name, "' is a database, but not a ledger of Postern"});
  }
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version > kSchemaVersion) {
    throw Error(ErrorCode::ledger_foreign,
                {"the ledger '", name, "' has form ", public_number(version),
                 "; this Postern knows forms up to ", public_number(kSchemaVersion), "; use a newer one"});
  }
  if (version != kSchemaVersion || schema_of(database) != expected_schema()) {
    throw Error(ErrorCode::ledger_tampered,
                {"the tables or guards of the ledger '", name, "' were changed; restore it from a backup"});
  }
}

}  // namespace postern::owner
