#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"

#include "durable_file.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kHexSize = 64;

[[noreturn]] void refuse_key(const std::string& path) {
  throw Error(ErrorCode::ledger_foreign, {"'", from_option(path), "' is not the key file of a ledger"});
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

LedgerKey LedgerKey::make() {
  LedgerKey key;
  if (::getrandom(key.bytes_.data(), key.bytes_.size(), 0) != static_cast<ssize_t>(key.bytes_.size())) {
    throw Error(ErrorCode::entropy_failed, {"the kernel gave no random bytes"});
  }
  return key;
}

LedgerKey LedgerKey::read(const std::string& path) {
  check_private_file(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  std::array<char, kHexSize + 2> text{};
  if (file.get() < 0) {
    throw Error(ErrorCode::ledger_missing, {"the ledger's key '", from_option(path), "' cannot be read"});
  }
  if (::read(file.get(), text.data(), text.size()) != kHexSize + 1 || text[kHexSize] != '\n')
    refuse_key(path);
  LedgerKey key;
  for (std::size_t i = 0; i < key.bytes_.size(); ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) refuse_key(path);
    key.bytes_[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  OPENSSL_cleanse(text.data(), text.size());
  return key;
}

LedgerKey::LedgerKey(LedgerKey&& other) noexcept : bytes_(other.bytes_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
}
LedgerKey& LedgerKey::operator=(LedgerKey&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}
LedgerKey::~LedgerKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

int LedgerKey::write(const std::string& path) const {
  std::string text = to_hex(bytes_.data(), bytes_.size()) + "\n";
  const int error = write_new_file(path, text);
  OPENSSL_cleanse(text.data(), text.size());
  return error;
}

std::string key_path(const std::string& ledger_path) { return ledger_path + ".key"; }

void check_private_file(const std::string& path) {
  const Quotation name = from_option(path);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0)
    throw Error(ErrorCode::ledger_missing, {"there is no '", name, "'"});
  if (S_ISLNK(status.st_mode) || (S_ISREG(status.st_mode) && status.st_nlink > 1)) {
    throw Error(ErrorCode::ledger_exposed,
                {"'", name,
                 "' is a link; name the file itself, so that a ledger cannot be exchanged or spent twice"});
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::ledger_foreign, {"'", name, "' is not a file"});
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Error(ErrorCode::ledger_exposed,
                {"'", name, "' may be used by others; run: chmod 600 '", name, "'"});
  }
}

void check_writable(const std::string& path) {
  struct stat status {};
  // The mode is asked too: root may write anything, but a ledger marked read-only was meant to stay.
  const bool marked = ::lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IWUSR) == 0;
  if (marked || ::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0 ||
      ::faccessat(AT_FDCWD, directory_of(path).c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    throw Error(ErrorCode::ledger_unwritable,
                {"the ledger '", from_option(path), "' or its directory is read-only"});
  }
}

void check_local(const std::string& path) {
  struct statfs status {};
  if (::statfs(path.c_str(), &status) == 0 &&
      is_network_file_system(static_cast<std::uint32_t>(status.f_type))) {
    throw Error(ErrorCode::unsupported,
                {"'", from_option(path),
                 "' is on a network file system, whose locks cannot be trusted with a budget; ",
                 "keep the ledger on a local disk"});
  }
}

bool is_network_file_system(std::uint32_t magic) {
  constexpr std::array<std::uint32_t, 16> kMagic{
      0x00006969,  // nfs
      0x0000517b,  // smb
      0xff534d42,  // cifs
      0xfe534d42,  // smb2
      0x5346414f,  // afs
      0x6b414653,  // kafs
      0x73757245,  // coda
      0x0000564c,  // ncp
      0x01021997,  // 9p
      0x00c36400,  // ceph
      0x65735546,  // fuse: sshfs and its kin
      0x0bd00bd0,  // lustre
      0x47504653,  // gpfs
      0x01161970,  // gfs2
      0x7461636f,  // ocfs2
      0x19830326,  // beegfs
  };
  return std::find(kMagic.begin(), kMagic.end(), magic) != kMagic.end();
}

}  // namespace postern::owner
