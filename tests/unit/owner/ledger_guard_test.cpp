#include "ledger_fixture.hpp"

// What another program can do to a ledger through SQLite: nothing that goes unseen.
namespace postern::owner {
namespace {

/// A charge row by hand. Its MAC is nonsense: the triggers must refuse it before anyone looks.
std::string row(int seq, const std::string& release, const std::string& dataset, const std::string& cost) {
  return "INTO charge VALUES (" + std::to_string(seq) + ", '" + release + "', '" + dataset +
         "', '00000000000000000000000000000000', " + cost +
         ", 'laplace', zeroblob(32), 'tool', 'now', zeroblob(32), zeroblob(32))";
}

class LedgerGuardTest : public LedgerTest {
 protected:
  LedgerGuardTest() {
    const model::Study study = make_study();
    Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
    first_ = ledger.charge(study, make_plan(study, "0.4"), entropy_).release_id();
    second_ = ledger.charge(study, make_plan(study, "0.2"), entropy_).release_id();
    ledger.record_published(second_, std::string(64, 'a'));
    ledger.new_records(entropy_);
    for (const ChargeRow& charge : ledger.charges())
      facts_.push_back({charge.release_id, charge.seq, charge.mac, ""});
  }
  const std::string fresh_ = std::string(32, 'f');
  std::string first_;
  std::string second_;
  std::vector<PublishedFact> facts_;
};

TEST_F(LedgerGuardTest, TheDatabaseItselfRefuses) {
  Stranger stranger(path_);
  const auto book = [&] { return stranger.text("SELECT count(*) || ' ' || sum(cost_nano) FROM charge"); };
  ASSERT_EQ(book(), "2 600000000\n");
  for (const char* manners : {"PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON",
                              "PRAGMA foreign_keys=OFF; PRAGMA recursive_triggers=OFF"}) {
    ASSERT_TRUE(stranger.run(manners));
    for (const std::string verb :
         {"INSERT ", "INSERT OR REPLACE ", "REPLACE ", "INSERT OR IGNORE ", "INSERT OR FAIL "}) {
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "400000001"))) << "over budget " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "9223372036854775807")))
          << "overflow " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "0"))) << "zero " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "-5"))) << "negative " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "NULL"))) << "null " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2026", "'many'"))) << "text " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, fresh_, "survey-2027", "1"))) << "unknown dataset " << verb;
      EXPECT_FALSE(stranger.run(verb + row(1, fresh_, "survey-2026", "1"))) << "place taken " << verb;
      EXPECT_FALSE(stranger.run(verb + row(5, first_, "survey-2026", "1"))) << "release taken " << verb;
      EXPECT_FALSE(stranger.run(verb + row(9, fresh_, "survey-2026", "1"))) << "gap " << verb;
    }
    for (const char* sql :
         {"UPDATE charge SET cost_nano = 1", "UPDATE OR REPLACE charge SET cost_nano = 1",
          "DELETE FROM charge", "UPDATE dataset SET budget_nano = 1000000000000", "DELETE FROM dataset",
          "UPDATE event SET kind = 'reconciled'", "DELETE FROM event",
          "REPLACE INTO dataset SELECT * FROM dataset", "REPLACE INTO charge SELECT * FROM charge",
          "REPLACE INTO event SELECT * FROM event",
          "REPLACE INTO event SELECT 5, kind, release_id, document_sha256, record_set, at, prev_mac, mac "
          "FROM event LIMIT 1"}) {
      EXPECT_FALSE(stranger.run(sql)) << sql;
    }
  }
  EXPECT_EQ(book(), "2 600000000\n");
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 5U);
}

TEST_F(LedgerGuardTest, ARowWithoutTheKeyBreaksTheChain) {
  Stranger stranger(path_);
  ASSERT_TRUE(stranger.run("INSERT " + row(5, fresh_, "survey-2026", "1")));
  EXPECT_EQ(refusal([&] { Ledger::open(path_); }), ErrorCode::ledger_tampered);
}

TEST_F(LedgerGuardTest, AnOpenLedgerSeesIntrudersBeforeItCharges) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::open(path_);
  Stranger stranger(path_);
  ASSERT_TRUE(stranger.run("INSERT " + row(5, fresh_, "survey-2026", "1")));
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, make_plan(study, "0.1"), entropy_); }),
            ErrorCode::ledger_tampered);
}

TEST_F(LedgerGuardTest, EveryChangedCellIsSeen) {
  Stranger stranger(path_);
  std::vector<std::string> edits;
  for (const char* table : {"dataset", "charge", "event"}) {
    const std::string name(table);
    std::istringstream columns(stranger.text("SELECT name FROM pragma_table_info('" + name + "')"));
    for (std::string column; std::getline(columns, column);) {
      std::istringstream seqs(stranger.text("SELECT seq FROM " + name));
      for (std::string seq; std::getline(seqs, seq);) edits.push_back(name + " " + column + " " + seq);
    }
  }
  EXPECT_EQ(edits.size(), 13U + 2 * 11U + 2 * 8U);
  const auto copy = std::filesystem::copy_options::overwrite_existing;
  const std::string victim = directory_ + "/victim.ledger";
  for (const std::string& edit : edits) {
    std::istringstream words(edit);
    std::string table;
    std::string column;
    std::string seq;
    words >> table >> column >> seq;
    std::filesystem::copy_file(path_, victim, copy);
    std::filesystem::copy_file(path_ + ".key", victim + ".key", copy);
    {
      Stranger vandal(victim);
      const std::string value = "CASE typeof(" + column + ") WHEN 'integer' THEN " + column +
                                " + 100 WHEN 'text' THEN 'x' || substr(" + column +
                                ", 2) WHEN 'blob' THEN zeroblob(32) ELSE " +
                                (column == "at_most" || column == "n_at_most" ? "7"
                                 : column.ends_with("sha256")                 ? "zeroblob(32)"
                                                                              : "'x'") +
                                " END";
      const bool genesis = table == "dataset" && column == "prev_mac";  // already zero
      ASSERT_TRUE(vandal.run_unguarded("UPDATE " + table + " SET " + column + " = " +
                                       (genesis ? "randomblob(32)" : value) + " WHERE seq = " + seq))
          << edit;
    }
    EXPECT_EQ(refusal([&] { Ledger::open(victim); }), ErrorCode::ledger_tampered) << edit;
    for (const char* tail : {"", "-journal"}) std::filesystem::remove(victim + tail);
  }
}

TEST_F(LedgerGuardTest, RemovedOrExchangedRowsAreSeen) {
  for (const char* sql :
       {"DELETE FROM charge WHERE seq = 1", "DELETE FROM event WHERE seq = 3", "DELETE FROM dataset",
        "UPDATE charge SET seq = 9 WHERE seq = 1; UPDATE charge SET seq = 1 WHERE seq = 2; UPDATE charge SET "
        "seq = 2 WHERE seq = 9"}) {
    const std::string victim = directory_ + "/victim.ledger";
    std::filesystem::copy_file(path_, victim);
    std::filesystem::copy_file(path_ + ".key", victim + ".key");
    ASSERT_TRUE(Stranger(victim).run_unguarded(sql)) << sql;
    EXPECT_EQ(refusal([&] { Ledger::open(victim); }), ErrorCode::ledger_tampered) << sql;
    for (const char* tail : {"", ".key", "-journal"}) std::filesystem::remove(victim + tail);
  }
}

TEST_F(LedgerGuardTest, AMissingGuardIsSeen) {
  for (const char* sql :
       {"DROP TRIGGER charge_insert", "DROP TRIGGER event_delete", "CREATE TABLE more(x)",
        "CREATE TRIGGER more AFTER INSERT ON charge BEGIN SELECT 1; END", "CREATE VIEW more AS SELECT 1"}) {
    const std::string victim = directory_ + "/victim.ledger";
    std::filesystem::copy_file(path_, victim);
    std::filesystem::copy_file(path_ + ".key", victim + ".key");
    ASSERT_TRUE(Stranger(victim).run(sql)) << sql;
    EXPECT_EQ(refusal([&] { Ledger::open(victim); }), ErrorCode::ledger_tampered) << sql;
    for (const char* tail : {"", ".key", "-journal"}) std::filesystem::remove(victim + tail);
  }
}

TEST_F(LedgerGuardTest, ACutBackLedgerIsFoundByItsDocuments) {
  ASSERT_TRUE(Stranger(path_).run_unguarded("DELETE FROM event; DELETE FROM charge WHERE seq = 2"));
  const Ledger ledger = Ledger::open(path_);  // a shorter chain is a valid chain
  EXPECT_EQ(ledger.verify_chain(), 2U);
  EXPECT_TRUE(holds(ledger, facts_[0]));
  EXPECT_FALSE(holds(ledger, facts_[1]));
}

TEST_F(LedgerGuardTest, AnotherKeyDoesNotFit) {
  const model::Study study = make_study();
  const std::string other = directory_ + "/other.ledger";
  Ledger::create(other, make_terms(study, "1"));
  std::filesystem::copy_file(other + ".key", path_ + ".key",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(refusal([&] { Ledger::open(path_); }), ErrorCode::ledger_tampered);
}

}  // namespace
}  // namespace postern::owner
