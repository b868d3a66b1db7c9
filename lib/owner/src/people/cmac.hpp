#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <openssl/evp.h>

#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

namespace postern::owner {

/// AES-128-CMAC (RFC 4493) of many messages at once. Called message by message the library's own takes over a
/// microsecond each; here one call to it encrypts the next block of every message.
class BatchedCmac {
 public:
  static constexpr std::size_t kBlock = 16;

  /// Fails: internal, if the library has no AES.
  explicit BatchedCmac(std::span<const std::uint8_t, kBlock> key);
  BatchedCmac(const BatchedCmac&) = delete;
  BatchedCmac& operator=(const BatchedCmac&) = delete;
  ~BatchedCmac();
  /// The first eight bytes of each tag are `high`, the others `low`, most significant byte first.
  /// @pre out has the size of messages.
  void digest(std::span<const std::string_view> messages, std::span<PersonDigest> out);

 private:
  using Block = std::array<std::uint8_t, kBlock>;
  void digest_batch(std::span<const std::string_view> messages, PersonDigest* out);
  void mix_in(Block& state, std::string_view message, std::size_t round) const;
  void encrypt(Block* blocks, std::size_t count);

  EVP_CIPHER_CTX* cipher_;
  Block whole_{};   // mixed into a last block that is full
  Block padded_{};  // and into one that had to be filled up
  Wiped<Block> states_;
  std::vector<std::uint32_t> active_;  // the messages that states_ belong to
};

}  // namespace postern::owner
