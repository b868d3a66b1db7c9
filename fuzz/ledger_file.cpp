// The opener of ledgers against hostile files: bytes as they come, and a sound ledger with bytes changed,
// pages copied over others and its end cut off. Refused means one of our own ledger errors. Accepted means
// that the book still tells the truth: its rows are the first ones of the sound ledger, unchanged (a cut-back
// chain is the one thing the file alone cannot show). Anything else is a finding.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/owner/ledger.hpp"

#include "../tests/support/small_studies.hpp"
#include "harness.hpp"
#include "sqlite_pool.hpp"

namespace {

using namespace postern;
using namespace postern::owner;
using fuzz::demand;
namespace fs = std::filesystem;

// Small pages: a book of few rows has inner nodes, overflow pages and little room that means nothing.
constexpr std::size_t kPage = 512;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

/// Rows only; the line of totals follows from them.
std::string rows(const Ledger& ledger) {
  const std::string lines = ledger.export_lines();
  return lines.substr(0, lines.rfind("{\"budget\""));
}

/// The ledger with small pages, as it is when no process has it open.
std::string packed(const std::string& path, const char* journal) {
  sqlite3* connection = nullptr;
  demand(sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
  const std::string sql = "PRAGMA journal_mode = DELETE; PRAGMA page_size = " + std::to_string(kPage) +
                          "; VACUUM; PRAGMA journal_mode = " + journal;
  demand(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  demand(sqlite3_close(connection) == SQLITE_OK);
  return read(path);
}

/// A directory in memory with a sound ledger; its key stays in place for every input.
struct Scene {
  Scene() {
    // One thread, and no process to share memory with: locks inside SQLite cost and find nothing.
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    fuzz::SqlitePool::use_in_sqlite();
    std::string name =
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/fuzz-ledger-XXXXXX";
    directory = ::mkdtemp(name.data());
    path = directory + "/f.ledger";
    write();
    rolled_back = packed(path, "DELETE");
    logged = packed(path, "WAL");
    file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    demand(file >= 0);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene() {
    ::close(file);
    fs::remove_all(directory);
  }

  /// Charges, one of them published, and new records.
  void write() {
    model::Study study = model::small_study({2, model::Adjacency::add_remove, Currency::pure, 50, 1});
    study.privacy.unit = model::PersonUnit{"person", 2};
    Ledger ledger =
        Ledger::create(path, {study.dataset, study.privacy, Spend(Currency::pure, 1'000'000'000)});
    Entropy entropy;
    const ChargeToken token = ledger.charge(study, model::small_plan(study, Rational(1, 10)), entropy);
    ledger.record_published(token.release_id(), std::string(64, 'a'));
    ledger.new_records(entropy);
    static_cast<void>(ledger.charge(study, model::small_plan(study, Rational(1, 20)), entropy));
    ledger.new_records(entropy);
    truth = rows(ledger);
  }

  void place(const std::string& bytes) const {
    for (const char* tail : {"-wal", "-shm", "-journal"}) ::unlink((path + tail).c_str());
    demand(::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    demand(::ftruncate(file, static_cast<off_t>(bytes.size())) == 0);
  }

  std::string directory;
  std::string path;
  std::string truth;
  std::string rolled_back;
  std::string logged;
  int file = -1;
};

/// How far a book that was accepted is used.
enum class Use { read, verify, write };

void open(const Scene& scene, Use use) {
  try {
    Ledger ledger = Ledger::open(scene.path, std::chrono::milliseconds(0));
    demand(scene.truth.starts_with(rows(ledger)));
    if (use == Use::read) return;
    static_cast<void>(ledger.charges());
    static_cast<void>(ledger.verify_chain());
    if (use == Use::verify) return;
    Entropy entropy;
    ledger.new_records(entropy);
    static_cast<void>(ledger.verify_chain());
  } catch (const Error& error) {
    demand(error_name(error.code()).starts_with("ledger-"));
  }
}

/// Four bytes: what to do, a place in the file, and a value to put there.
void damage(std::string& bytes, const std::uint8_t* patch) {
  const std::size_t at = (patch[1] + std::size_t{256} * patch[2]) % bytes.size();
  const std::size_t pages = bytes.size() / kPage;
  if (patch[0] < 0xE0 || pages == 0) {
    bytes[at] = static_cast<char>(patch[3]);
  } else if (patch[0] < 0xF8) {
    const std::string page = bytes.substr(patch[3] % pages * kPage, kPage);
    bytes.replace(patch[1] % pages * kPage, kPage, page);
  } else {
    bytes.resize(at + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scene scene;
  if (size < 2) return -1;
  const unsigned form = data[0] % 8;
  const unsigned rest = data[0] / 8;  // 0 to 31
  const Use use = rest == 1 ? Use::write : rest < 4 ? Use::verify : Use::read;
  fuzz::SqlitePool::turn(rest % 8 != 3);
  std::string bytes;
  if (form == 0) {
    bytes.assign(data + 1, data + size);
  } else {
    bytes = form == 1 ? scene.logged : scene.rolled_back;
    for (std::size_t i = 1; i + 3 < size; i += 4) damage(bytes, data + i);
  }
  scene.place(bytes);
  open(scene, use);
  return 0;
}
