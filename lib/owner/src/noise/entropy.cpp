#include "postern/owner/entropy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kBlockBytes = std::size_t{16} << 10;
constexpr std::uint64_t kRekeyBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kSentinel = 0x9e3779b97f4a7c15;

using Key = std::array<std::uint8_t, kKeyBytes>;

[[noreturn]] void fail() {
  throw Error(ErrorCode::entropy_failed, {"the system gives no randomness; nothing can be noised safely"});
}

/// Second line of defence against fork: counts the forks that led to this process.
std::atomic<std::uint64_t>& fork_count() {
  static std::atomic<std::uint64_t> count{1};
  return count;
}

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    fork_count().load();
    if (pthread_atfork(nullptr, nullptr, [] { fork_count().fetch_add(1); }) != 0) fail();
  });
}

void read_kernel(std::span<std::uint8_t> out) {
  if (mutant(18)) return;
  ssize_t got = -1;
  do {
    got = getrandom(out.data(), out.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(out.size())) fail();
}

/// 32 fresh kernel bytes. Health: two successive reads that agree, or a read of zeros, mean a broken kernel
/// source.
Key fresh_key() {
  Key key{};
  Key witness{};
  read_kernel(key);
  read_kernel(witness);
  const bool broken = (key == witness || key == Key{}) && !mutant(18);
  OPENSSL_cleanse(witness.data(), witness.size());
  if (broken) fail();
  return key;
}

/// Everything secret. Lives in its own mapping: zeroed by the kernel in a forked child, kept out of core
/// dumps.
struct Secret {
  std::uint64_t sentinel;  // kSentinel once seeded; zero after a wipe
  std::uint64_t forks;     // fork_count() at seeding
  std::uint64_t since_rekey;
  std::size_t position;  // first byte of `block` not yet served; all before it are zero
  Key key;               // of the next block
  std::array<std::uint8_t, kBlockBytes> block;
};

Secret* map_secret() {
  void* page = mmap(nullptr, sizeof(Secret), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail();
  // Refusals are harmless: pthread_atfork still reseeds, and the program switches off core dumps anyway.
  if (!mutant(6)) (void)madvise(page, sizeof(Secret), MADV_WIPEONFORK);
  (void)madvise(page, sizeof(Secret), MADV_DONTDUMP);
  return new (page) Secret{};
}

}  // namespace

struct Entropy::State {
  State() : secret(map_secret()), cipher(EVP_CIPHER_CTX_new()) {
    if (cipher == nullptr || EVP_EncryptInit_ex(cipher, EVP_chacha20(), nullptr, nullptr, nullptr) != 1) {
      release();
      fail();
    }
  }
  ~State() { release(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void release() {
    EVP_CIPHER_CTX_free(cipher);
    OPENSSL_cleanse(secret, sizeof(Secret));
    (void)munmap(secret, sizeof(Secret));
  }
  void reseed_if_forked() {
    const bool forked = secret->sentinel != kSentinel || secret->forks != fork_count().load();
    if (forked && !(mutant(6) && secret->sentinel == kSentinel)) reseed();
  }
  void reseed() {
    secret->sentinel = 0;
    secret->key = Key{};
    mix_kernel_bytes();
    secret->forks = fork_count().load();
    secret->sentinel = kSentinel;
  }
  /// XORs fresh bytes into the key and drops the rest of the block made with the old one.
  void mix_kernel_bytes() {
    Key fresh = fresh_key();
    for (std::size_t i = 0; i < kKeyBytes; ++i) secret->key[i] ^= fresh[i];
    OPENSSL_cleanse(fresh.data(), fresh.size());
    OPENSSL_cleanse(secret->block.data(), kBlockBytes);
    secret->position = kBlockBytes;
    secret->since_rekey = 0;
  }
  void set_cipher_key(const Key& key) {
    static constexpr std::array<std::uint8_t, 16>
        kZeroNonce{};  // a key makes one block only, so no nonce repeats
    if (EVP_EncryptInit_ex(cipher, nullptr, nullptr, key.data(), kZeroNonce.data()) != 1) fail();
  }
  /// Fast key erasure: the first bytes of each block become the key of the next (Bernstein 2017).
  void next_block() {
    if (secret->since_rekey >= kRekeyBytes) mix_kernel_bytes();
    set_cipher_key(secret->key);
    int made = 0;
    std::uint8_t* block = secret->block.data();  // all zero here, so that encrypting it leaves the keystream
    const bool ok =
        EVP_EncryptUpdate(cipher, block, &made, block, kBlockBytes) == 1 && made == int{kBlockBytes};
    set_cipher_key(Key{});  // the library's copy of the key goes too
    if (!ok) fail();
    std::memcpy(secret->key.data(), block, kKeyBytes);
    std::memset(block, 0, kKeyBytes);
    secret->position = kKeyBytes;
    secret->since_rekey += kBlockBytes;
  }

  Secret* secret;
  EVP_CIPHER_CTX* cipher;
};

Entropy::Entropy() {
  watch_forks();
  state_ = std::make_unique<State>();
  state_->reseed();
}

Entropy::Entropy(NoKernel) {}

Entropy::~Entropy() = default;

void Entropy::fill(std::span<std::uint8_t> out) {
  state_->reseed_if_forked();
  Secret& secret = *state_->secret;
  while (!out.empty()) {
    if (secret.position == kBlockBytes) state_->next_block();
    const std::size_t taken = std::min(out.size(), kBlockBytes - secret.position);
    std::uint8_t* served = secret.block.data() + secret.position;
    std::memcpy(out.data(), served, taken);
    std::memset(served, 0, taken);
    secret.position += taken;
    out = out.subspan(taken);
  }
}

void Entropy::rekey() {
  state_->reseed_if_forked();
  state_->mix_kernel_bytes();
}

}  // namespace postern::owner
