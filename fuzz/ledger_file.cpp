// The opener of ledgers against hostile files: bytes as they come, and a sound ledger with bytes changed.
// Refused means one of our own ledger errors. Accepted means that the book still tells the truth: its rows
// are the first ones of the sound ledger, unchanged (a cut-back chain is the one thing the file alone cannot
// show). Anything else is a finding.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/owner/ledger.hpp"

namespace {

using namespace postern;
using namespace postern::owner;
namespace fs = std::filesystem;

void demand(bool holds) {
  if (!holds) __builtin_trap();
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

/// Rows only; the line of totals follows from them.
std::string rows(const Ledger& ledger) {
  const std::string lines = ledger.export_lines();
  return lines.substr(0, lines.rfind("{\"budget\""));
}

/// A directory in memory with a sound ledger; its key stays in place for every input.
struct Scene {
  Scene() {
    std::string name =
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/fuzz-ledger-XXXXXX";
    directory = ::mkdtemp(name.data());
    path = directory + "/f.ledger";
    model::PrivacyPolicy policy;
    policy.adjacency = model::Adjacency::add_remove;
    policy.unit = model::PersonUnit{"person", 2};
    policy.n_at_most = 50;
    {
      Ledger ledger = Ledger::create(path, {"records", policy, Spend(Currency::pure, 1'000'000'000)});
      Entropy entropy;
      for (int i = 0; i < 40; ++i) ledger.new_records(entropy);
      truth = rows(ledger);
    }
    sound = read(path);  // closing folded the log into the file
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene() { fs::remove_all(directory); }

  void place(const std::string& bytes) const {
    for (const char* tail : {"-wal", "-shm", "-journal"}) fs::remove(path + tail);
    std::ofstream(path, std::ios::binary) << bytes;
    ::chmod(path.c_str(), 0600);
  }

  std::string directory;
  std::string path;
  std::string truth;
  std::string sound;
};

void open(const Scene& scene) {
  try {
    Ledger ledger = Ledger::open(scene.path, std::chrono::milliseconds(0));
    demand(scene.truth.starts_with(rows(ledger)));
    static_cast<void>(ledger.balance());
    static_cast<void>(ledger.charges());
    static_cast<void>(ledger.verify_chain());
    Entropy entropy;
    ledger.new_records(entropy);
    static_cast<void>(ledger.verify_chain());
  } catch (const Error& error) {
    demand(error_name(error.code()).starts_with("ledger-"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scene scene;
  if (size == 0) return 0;
  if (data[0] % 4 == 0) {
    scene.place(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    open(scene);
    return 0;
  }
  // Each four bytes: a place in the file and a value to put there.
  std::string bytes = scene.sound;
  for (std::size_t i = 1; i + 3 < size; i += 4) {
    const std::size_t at = data[i] + 256U * data[i + 1] + 65536U * (data[i + 2] % 2U);
    bytes[at % bytes.size()] = static_cast<char>(data[i + 3]);
  }
  scene.place(bytes);
  open(scene);
  return 0;
}
