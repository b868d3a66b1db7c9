#include "cmac.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kBatch = 4096;

[[noreturn]] void fail() {
  throw Error(ErrorCode::internal, {"the cryptographic library cannot encrypt with AES"});
}

/// Twice the block in GF(2^128), as RFC 4493 makes its subkeys.
template <class Block>
Block doubled(const Block& block) {
  Block out{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const unsigned carry = i + 1 < block.size() ? unsigned{block[i + 1]} >> 7U : 0U;
    out[i] = static_cast<std::uint8_t>(unsigned{block[i]} << 1U | carry);
  }
  if ((block[0] & 0x80U) != 0) out.back() ^= 0x87U;
  return out;
}

std::size_t rounds_of(std::string_view message) {
  return std::max<std::size_t>(1, (message.size() + BatchedCmac::kBlock - 1) / BatchedCmac::kBlock);
}

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8U | bytes[i];
  return value;
}

}  // namespace

BatchedCmac::BatchedCmac(std::span<const std::uint8_t, kBlock> key) : cipher_(EVP_CIPHER_CTX_new()) {
  const bool ready = cipher_ != nullptr &&
                     EVP_EncryptInit_ex(cipher_, EVP_aes_128_ecb(), nullptr, key.data(), nullptr) == 1 &&
                     EVP_CIPHER_CTX_set_padding(cipher_, 0) == 1;
  if (!ready) {
    EVP_CIPHER_CTX_free(cipher_);
    fail();
  }
  Block zero{};
  encrypt(&zero, 1);
  whole_ = doubled(zero);
  padded_ = doubled(whole_);
  wipe(zero.data(), zero.size());
}

BatchedCmac::~BatchedCmac() {
  EVP_CIPHER_CTX_free(cipher_);
  wipe(whole_.data(), whole_.size());
  wipe(padded_.data(), padded_.size());
}

void BatchedCmac::encrypt(Block* blocks, std::size_t count) {
  int made = 0;
  auto* bytes = reinterpret_cast<std::uint8_t*>(blocks);
  const int size = static_cast<int>(count * kBlock);
  if (EVP_EncryptUpdate(cipher_, bytes, &made, bytes, size) != 1 || made != size) fail();
}

void BatchedCmac::mix_in(Block& state, std::string_view message, std::size_t round) const {
  const std::size_t begin = round * kBlock;
  const std::size_t size = std::min(kBlock, message.size() - begin);
  for (std::size_t i = 0; i < size; ++i) state[i] ^= static_cast<std::uint8_t>(message[begin + i]);
  if (begin + size < message.size()) return;
  if (size < kBlock) state[size] ^= 0x80U;
  const Block& last = size < kBlock ? padded_ : whole_;
  for (std::size_t i = 0; i < kBlock; ++i) state[i] ^= last[i];
}

void BatchedCmac::digest_batch(std::span<const std::string_view> messages, PersonDigest* out) {
  states_.assign(messages.size(), Block{});
  active_.resize(messages.size());
  for (std::uint32_t i = 0; i < active_.size(); ++i) active_[i] = i;
  for (std::size_t round = 0; !active_.empty(); ++round) {
    for (std::size_t i = 0; i < active_.size(); ++i) mix_in(states_[i], messages[active_[i]], round);
    encrypt(states_.data(), active_.size());
    std::size_t left = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::uint32_t message = active_[i];
      if (rounds_of(messages[message]) == round + 1) {
        out[message] = {big_endian(states_[i].data()), big_endian(states_[i].data() + kBlock / 2)};
      } else {
        states_[left] = states_[i];
        active_[left++] = message;
      }
    }
    active_.resize(left);
  }
}

void BatchedCmac::digest(std::span<const std::string_view> messages, std::span<PersonDigest> out) {
  for (std::size_t begin = 0; begin < messages.size(); begin += kBatch) {
    const std::size_t size = std::min(kBatch, messages.size() - begin);
    digest_batch(messages.subspan(begin, size), out.data() + begin);
  }
}

}  // namespace postern::owner
