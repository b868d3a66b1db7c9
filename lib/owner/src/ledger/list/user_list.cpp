#include "user_list.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/durable_file.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr int kTries = 50;  // for the lock, 10 ms each: whoever holds it writes a few lines

/// A tab or a line's end within a name would be read as the next field.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '\t' || c == '\n') {
      out += {'\\', c == '\t' ? 't' : (c == '\n' ? 'n' : '\\')};
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 't' ? '\t' : (text[i] == 'n' ? '\n' : text[i]);
  }
  return out;
}

std::vector<ListedLedger> lines_of(const std::string& text) {
  std::vector<ListedLedger> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string_view whole(line);
    out.push_back({unescaped(whole.substr(0, tab)), unescaped(whole.substr(tab + 1))});
  }
  return out;
}

std::string text_of(const std::vector<ListedLedger>& ledgers) {
  std::string out;
  for (const ListedLedger& one : ledgers) out += escaped(one.dataset) + '\t' + escaped(one.path) + '\n';
  return out;
}

/// Waits a moment for the lock, and no longer: the list is a help, and nothing hangs on it.
bool lock(const Descriptor& file, int operation) {
  for (int i = 0; i < kTries; ++i) {
    if (::flock(file.get(), operation | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A list is a plain file: reading a pipe of that name would wait for ever.
Descriptor open_plain(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return Descriptor(-1);
  return file;
}

std::string text_in(const Descriptor& file) {
  std::string text(kMostBytes, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::pread(file.get(), text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

/// The folder of the list and all above it that are missing, for nobody else to read.
void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  if (folder.empty() || std::filesystem::exists(folder, failure)) return;
  make_folder(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

bool is_gone(const ListedLedger& ledger) {
  struct stat status {};
  return ::lstat(ledger.path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

std::optional<std::string> UserList::usual_path() {
  const char* state = ::secure_getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/postern/ledgers";
  const char* home = ::secure_getenv("HOME");
  if (home == nullptr || *home != '/') return std::nullopt;
  return std::string(home) + "/.local/state/postern/ledgers";
}

std::vector<ListedLedger> UserList::read() const {
  const Descriptor file = open_plain(path_, O_RDONLY);
  if (file.get() < 0 || !lock(file, LOCK_SH)) return {};
  return lines_of(text_in(file));
}

bool UserList::add(const ListedLedger& ledger) const {
  make_folder(std::filesystem::path(path_).parent_path());
  const Descriptor file = open_plain(path_, O_RDWR | O_CREAT);
  if (file.get() < 0 || !lock(file, LOCK_EX) || ::fchmod(file.get(), 0600) != 0) return false;
  std::vector<ListedLedger> ledgers = lines_of(text_in(file));
  const auto dropped = std::remove_if(ledgers.begin(), ledgers.end(), [&](const ListedLedger& one) {
    return one.path == ledger.path || is_gone(one);
  });
  ledgers.erase(dropped, ledgers.end());
  ledgers.push_back(ledger);
  const std::string text = text_of(ledgers);
  if (text.size() > kMostBytes || ::ftruncate(file.get(), 0) != 0) return false;
  return ::lseek(file.get(), 0, SEEK_SET) == 0 && write_all(file.get(), text) == 0;
}

}  // namespace postern::owner
