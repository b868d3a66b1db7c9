#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "postern/core/error.hpp"
#include "postern/owner/ledger.hpp"

namespace postern::drill {

/// What is left after a drill.
struct Count {
  std::int64_t charges = 0;
  std::int64_t documents = 0;  ///< under their final name
  std::int64_t orphans = 0;    ///< documents without their charge: must be none
  std::int64_t broken = 0;     ///< documents that are not whole: must be none
  std::int64_t noted = 0;      ///< with a publication event
  std::int64_t temporary = 0;  ///< left by killed processes
  std::int64_t spent_nano = 0;
  std::int64_t budget_nano = 0;
  Count& operator+=(const Count& other);
};

/// How a spender ended.
struct End {
  bool killed = false;
  int status = 0;
  [[nodiscard]] bool refused(ErrorCode code) const {
    return !killed && status == 100 + static_cast<int>(code);
  }
};

using Environment = std::map<std::string, std::string>;

/// A ledger, a directory of documents, and the processes that fill them.
class Arena {
 public:
  /// A fresh ledger whose budget pays for `releases` documents.
  explicit Arena(std::int64_t releases, const std::string& root = {});
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  struct Options {
    long count = -1;
    long patience_ms = 30000;
    Environment environment;
    std::optional<std::uint64_t> file_size_limit;
  };
  /// Starts a spender that begins at once.
  pid_t start(const Options& options);
  /// Starts several that begin together, once all have opened the ledger.
  std::vector<pid_t> start_together(int spenders, const Options& options);
  static End wait(pid_t spender);
  static void kill(pid_t spender);
  End run(const Options& options) { return wait(start(options)); }
  /// Makes another ledger.
  End found(const std::string& ledger, const Environment& environment);
  /// One document by one spender.
  End run_once(long patience_ms = 30000);

  /// Opens the ledger, walks its whole chain, and holds every document against it. Throws if the ledger is
  /// not sound.
  [[nodiscard]] Count count() const { return count(ledger_); }
  [[nodiscard]] Count count(const std::string& ledger) const;
  /// Adds the events of documents whose spender died too early.
  std::uint64_t reconcile();
  [[nodiscard]] const std::string& ledger() const { return ledger_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  static pid_t spawn(std::vector<std::string> words, const Options& options, int go, int ready);
  [[nodiscard]] std::vector<std::string> words(const Options& options) const;
  [[nodiscard]] std::vector<owner::PublishedFact> facts(Count& count) const;
  std::string root_;
  std::string ledger_;
  std::string directory_;
};

}  // namespace postern::drill
