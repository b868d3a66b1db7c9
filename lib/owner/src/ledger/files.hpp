#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace postern::owner {

/// The secret of the chain. Wiped when it goes.
class LedgerKey {
 public:
  /// Fresh from the kernel.
  static LedgerKey make();
  /// Reads `path`. Throws ledger_missing, ledger_exposed, ledger_foreign.
  static LedgerKey read(const std::string& path);
  LedgerKey(LedgerKey&& other) noexcept;
  LedgerKey& operator=(LedgerKey&& other) noexcept;
  LedgerKey(const LedgerKey&) = delete;
  LedgerKey& operator=(const LedgerKey&) = delete;
  ~LedgerKey();
  [[nodiscard]] const std::array<std::uint8_t, 32>& bytes() const { return bytes_; }
  /// 64 hex digits and a newline, in a new private file; returns 0 or errno.
  [[nodiscard]] int write(const std::string& path) const;

 private:
  LedgerKey() = default;
  std::array<std::uint8_t, 32> bytes_{};
};

[[nodiscard]] std::string key_path(const std::string& ledger_path);

/// A ledger or key is a private regular file under its own name: missing, a symbolic or second hard link, or
/// readable by others is refused (ledger_missing, ledger_exposed, ledger_foreign).
void check_private_file(const std::string& path);
/// Refuses ledgers that may not be written (ledger_unwritable).
void check_writable(const std::string& path);
/// Refuses file systems whose locks reach over a network (unsupported): two machines could spend at once.
void check_local(const std::string& path);
/// @param magic statfs' f_type
[[nodiscard]] bool is_network_file_system(std::uint32_t magic);

}  // namespace postern::owner
