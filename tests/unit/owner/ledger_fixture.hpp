#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/ledger.hpp"

namespace postern::owner {

/// A directory that goes with the test; in memory where there is such a place, so that no test waits for a
/// disk.
class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() {
    const bool memory = ::access("/dev/shm", W_OK | X_OK) == 0;
    const auto place = memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string name = (place / "postern-ledger-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    path_ = directory_ + "/survey.ledger";
  }
  ~LedgerTest() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string path_;
  Entropy entropy_;
};

inline model::Study make_study(Currency currency = Currency::pure,
                               model::Adjacency adjacency = model::Adjacency::replace_one) {
  model::Study study;
  study.name = "smoking";
  study.dataset = "survey-2026";
  study.privacy.adjacency = adjacency;
  study.privacy.currency = currency;
  if (adjacency == model::Adjacency::add_remove) study.privacy.n_at_most = 1000;
  model::Column smoker;
  smoker.name = "smoker";
  smoker.values = model::Categories{{"no", "yes", "was"}};
  smoker.outside = model::MapTo{0};
  study.schema = model::Schema({smoker});
  study.model = model::Categorical{{"smoker"}, {1, 1, 1}};
  return study;
}

inline DatasetTerms make_terms(const model::Study& study, const char* budget) {
  return {study.dataset, study.privacy, Spend::parse(study.privacy.currency, budget)};
}

inline model::NoisePlan make_plan(const model::Study& study, const char* cost) {
  return model::make_noise_plan(study, model::default_mechanism(study),
                                Spend::parse(study.privacy.currency, cost));
}

template <class Action>
ErrorCode refusal(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::internal;
}

/// Another program at the same file, with none of the ledger's manners.
class Stranger {
 public:
  explicit Stranger(const std::string& path) { sqlite3_open(path.c_str(), &connection_); }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() { sqlite3_close(connection_); }
  /// True if SQLite let it through.
  bool run(const std::string& sql) {
    return sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  std::string text(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(connection_, sql.c_str(), -1, &statement, nullptr);
    std::string out;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      out += value == nullptr ? "" : value;
      out += '\n';
    }
    sqlite3_finalize(statement);
    return out;
  }
  /// Runs `sql` with all triggers taken away, and puts them back word for word.
  bool run_unguarded(const std::string& sql) {
    const std::string guards = text("SELECT sql || ';' FROM sqlite_schema WHERE type = 'trigger'");
    const std::string drops =
        text("SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'");
    return run("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF") &&
           run("BEGIN; " + drops + sql + ";" + guards + "COMMIT");
  }

 private:
  sqlite3* connection_ = nullptr;
};

}  // namespace postern::owner
