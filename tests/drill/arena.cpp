#include "arena.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postern/core/sha256.hpp"
#include "postern/release/document.hpp"

#include "study.hpp"

namespace postern::drill {
namespace {

namespace fs = std::filesystem;

struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  int ends[2] = {-1, -1};
};

/// In memory where there is such a place: a killed process loses nothing that it wrote, synced or not, and
/// the drill need not wait for a disk.
std::string make_root() {
  const fs::path place =
      ::access("/dev/shm", W_OK | X_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path();
  std::string name = (place / "postern-drill-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  return name;
}

[[noreturn]] void become_spender(const Arena::Options& options, char* const* arguments, int go, int ready) {
  ::dup2(go, STDIN_FILENO);
  ::dup2(ready, STDOUT_FILENO);
  if (::getenv("POSTERN_DRILL_VERBOSE") == nullptr)
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (options.file_size_limit) {
    const rlimit limit{*options.file_size_limit, *options.file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ::execv(DRILL_SPENDER, arguments);
  ::_exit(127);
}

}  // namespace

Count& Count::operator+=(const Count& other) {
  charges += other.charges;
  documents += other.documents;
  orphans += other.orphans;
  broken += other.broken;
  noted += other.noted;
  temporary += other.temporary;
  spent_nano += other.spent_nano;
  budget_nano += other.budget_nano;
  return *this;
}

Arena::Arena(std::int64_t releases, const std::string& root)
    : root_(root.empty() ? make_root() : root),
      ledger_(root_ + "/drill.ledger"),
      directory_(root_ + "/documents") {
  fs::create_directory(directory_);
  const model::Study about = study();
  const Spend cost = Spend::parse(Currency::pure, kCost);
  owner::Ledger::create(ledger_,
                        {about.dataset, about.privacy, Spend(Currency::pure, releases * cost.nano())});
}

Arena::~Arena() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::vector<std::string> Arena::words(const Options& options) const {
  return {DRILL_SPENDER, ledger_, directory_, std::to_string(options.count),
          std::to_string(options.patience_ms)};
}

pid_t Arena::spawn(std::vector<std::string> words, const Options& options, int go, int ready) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become_spender(options, arguments.data(), go, ready);
  return child;
}

pid_t Arena::start(const Options& options) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t child = spawn(words(options), options, nothing, nothing);
  ::close(nothing);
  return child;
}

End Arena::found(const std::string& ledger, const Environment& environment) {
  Options options;
  options.environment = environment;
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t child = spawn({DRILL_SPENDER, ledger}, options, nothing, nothing);
  ::close(nothing);
  return wait(child);
}

std::vector<pid_t> Arena::start_together(int spenders, const Options& options) {
  Pipe go;
  Pipe ready;
  std::vector<pid_t> children;
  for (int i = 0; i < spenders; ++i)
    children.push_back(spawn(words(options), options, go.ends[0], ready.ends[1]));
  ready.close(1);
  char byte = 0;
  for (int i = 0; i < spenders; ++i) {
    if (::read(ready.ends[0], &byte, 1) != 1) break;  // a spender that cannot open never gets ready
  }
  return children;
}

End Arena::wait(pid_t spender) {
  int status = 0;
  ::waitpid(spender, &status, 0);
  return {WIFSIGNALED(status), WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)};
}

End Arena::run_once(long patience_ms) {
  Options options;
  options.count = 1;
  options.patience_ms = patience_ms;
  return run(options);
}

void Arena::kill(pid_t spender) { ::kill(spender, SIGKILL); }

std::vector<owner::PublishedFact> Arena::facts(Count& count) const {
  std::vector<owner::PublishedFact> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_)) {
    if (entry.path().extension() != ".json") {
      ++count.temporary;
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    ++count.documents;
    try {
      const release::Release release = release::parse_document(bytes);
      out.push_back({release.release_id, release.ledger.seq, release.ledger.head, to_hex(sha256(bytes))});
    } catch (const Error&) {
      ++count.broken;
    }
  }
  return out;
}

Count Arena::count(const std::string& ledger) const {
  Count out;
  // Documents first: those that appear meanwhile have their charge already, but are not counted.
  const std::vector<owner::PublishedFact> documents = facts(out);
  const owner::Ledger book = owner::Ledger::open(ledger);
  static_cast<void>(book.verify_chain());
  for (const owner::PublishedFact& document : documents) {
    if (!owner::holds(book, document)) ++out.orphans;
  }
  const owner::Balance balance = book.balance();
  out.charges = static_cast<std::int64_t>(balance.charges);
  out.noted = static_cast<std::int64_t>(balance.published);
  out.spent_nano = balance.spent.nano();
  out.budget_nano = balance.terms.budget.nano();
  return out;
}

std::uint64_t Arena::reconcile() {
  Count ignored;
  const std::vector<owner::PublishedFact> documents = facts(ignored);
  owner::Ledger book = owner::Ledger::open(ledger_);
  return owner::reconcile(book, documents);
}

}  // namespace postern::drill
