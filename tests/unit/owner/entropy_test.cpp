#include "postern/owner/entropy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postern/core/error.hpp"

namespace {

/// What getrandom does in this test program. The symbol below takes the place of the C library's, so that the
/// kernel's failures can be played without a hook in the library.
enum class Kernel { real, failing, cut_short, interrupted_once, constant, zero, counting_up };
Kernel kernel = Kernel::real;
std::atomic<int> calls = 0;

}  // namespace

extern "C" ssize_t getrandom(void* buffer, size_t length, unsigned flags) {
  ++calls;
  const auto pattern = [&](int byte) {
    std::memset(buffer, byte, length);
    return static_cast<ssize_t>(length);
  };
  switch (kernel) {
    case Kernel::real:
      break;
    case Kernel::failing:
      errno = ENOSYS;
      return -1;
    case Kernel::cut_short:
      return static_cast<ssize_t>(length) - 1;
    case Kernel::interrupted_once:
      kernel = Kernel::real;
      errno = EINTR;
      return -1;
    case Kernel::constant:
      return pattern(0x5a);
    case Kernel::zero:
      return pattern(calls % 2 == 1 ? 0 : 1);
    case Kernel::counting_up:
      return pattern(calls);
  }
  return syscall(SYS_getrandom, buffer, length, flags);
}

namespace postern::owner {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct WithKernel {
  explicit WithKernel(Kernel chosen) {
    kernel = chosen;
    calls = 0;
  }
  ~WithKernel() { kernel = Kernel::real; }
};

Bytes take(Entropy& entropy, std::size_t n) {
  Bytes out(n);
  entropy.fill(out);
  return out;
}

// ChaCha20 from RFC 8439, to check the keystream against the document and not against the library that makes
// it.
void quarter_round(std::array<std::uint32_t, 16>& x, int a, int b, int c, int d) {
  const auto rotate = [](std::uint32_t v, int n) { return v << n | v >> (32 - n); };
  x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

Bytes chacha20_keystream(std::span<const std::uint8_t> key, std::size_t bytes) {
  Bytes out;
  for (std::uint32_t counter = 0; out.size() < bytes; ++counter) {
    std::array<std::uint32_t, 16> start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    std::memcpy(&start[4], key.data(), 32);
    start[12] = counter;
    std::array<std::uint32_t, 16> x = start;
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < 4; ++i) quarter_round(x, i, i + 4, i + 8, i + 12);
      for (int i = 0; i < 4; ++i) quarter_round(x, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12);
    }
    for (std::size_t i = 0; i < 16; ++i) x[i] += start[i];
    const auto* block = reinterpret_cast<const std::uint8_t*>(x.data());
    out.insert(out.end(), block, block + 64);
  }
  out.resize(bytes);
  return out;
}

TEST(Entropy, NeverRepeats) {
  Entropy one;
  Entropy other;
  std::vector<std::uint64_t> words(1 << 18);
  const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(words.data()), words.size() * 8);
  one.fill(bytes.first(bytes.size() / 2));
  other.fill(bytes.subspan(bytes.size() / 2));
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());  // chance 2^-29
}

TEST(Entropy, IsBalanced) {
  Entropy entropy;
  std::size_t ones = 0;
  const Bytes bytes = take(entropy, 1 << 20);
  for (const std::uint8_t byte : bytes) ones += static_cast<std::size_t>(__builtin_popcount(byte));
  EXPECT_NEAR(static_cast<double>(ones), 4.0 * (1 << 20), 4.9 * 0.5 * 2896.4);  // 2^23 bits, sd sqrt(2^23)/2
}

/// The stream is that of entropy.md: 16 KiB of ChaCha20 a key, the first 32 bytes being the next key.
TEST(Entropy, ErasesItsKeyWithEveryBlock) {
  const WithKernel scripted(Kernel::counting_up);
  Entropy entropy;
  const Bytes served = take(entropy, 40'000);
  Bytes key(32, 1);  // the bytes of the first call; the second is the witness of the health check
  Bytes expected;
  while (expected.size() < served.size()) {
    const Bytes block = chacha20_keystream(key, 16384);
    key.assign(block.begin(), block.begin() + 32);
    expected.insert(expected.end(), block.begin() + 32, block.end());
  }
  expected.resize(served.size());
  EXPECT_EQ(served, expected);
}

TEST(Entropy, MixesKernelBytesAtEveryRelease) {
  const WithKernel scripted(Kernel::counting_up);
  Entropy one;
  calls = 0;
  Entropy other;
  EXPECT_EQ(take(one, 64), take(other, 64));
  const int before = calls;
  one.rekey();
  EXPECT_GT(calls, before);
  EXPECT_NE(take(one, 64), take(other, 64));
}

TEST(Entropy, RekeysByItselfInLongUse) {
  const WithKernel counted(Kernel::real);
  Entropy entropy;
  const int before = calls;
  Bytes buffer(1 << 20);
  for (int i = 0; i < 63; ++i) entropy.fill(buffer);
  EXPECT_EQ(calls, before);
  for (int i = 0; i < 2; ++i) entropy.fill(buffer);
  EXPECT_GT(calls, before);
}

/// Bytes a child draws, sent through a pipe.
Bytes draw_in_child(Entropy& entropy) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Bytes bytes = take(entropy, 64);
    _exit(write(ends[1], bytes.data(), bytes.size()) == 64 ? 0 : 1);
  }
  Bytes received(64);
  EXPECT_EQ(read(ends[0], received.data(), received.size()), 64);
  close(ends[0]);
  close(ends[1]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return received;
}

TEST(Entropy, AForkedChildDrawsItsOwnBytes) {
  Entropy entropy;
  (void)take(entropy, 100);
  const Bytes child = draw_in_child(entropy);
  const Bytes sibling = draw_in_child(entropy);
  const Bytes parent = take(entropy, 64);
  EXPECT_NE(child, parent);
  EXPECT_NE(sibling, parent);
  EXPECT_NE(child, sibling);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POSTERN_SANITIZED
#endif
#endif
#ifndef POSTERN_SANITIZED  // a sanitizer keeps memory that may not be read
/// Occurrences of the bytes in the writable memory of this process, all of it: other tests of the program may
/// have let its heap grow. They are given inverted, so that only the needle itself need be left out.
std::size_t occurrences(const Bytes& inverted_needle) {
  Bytes needle(inverted_needle.size());
  for (std::size_t i = 0; i < needle.size(); ++i) needle[i] = static_cast<std::uint8_t>(~inverted_needle[i]);
  std::ifstream maps("/proc/self/maps");
  std::size_t found = 0;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
    std::array<char, 5> mode{};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &start, &end, mode.data()) != 3) continue;
    if (mode[0] != 'r' || mode[1] != 'w') continue;
    const auto* at = reinterpret_cast<const std::uint8_t*>(start);
    const auto* to = reinterpret_cast<const std::uint8_t*>(end);
    while ((at = static_cast<const std::uint8_t*>(
                memmem(at, static_cast<std::size_t>(to - at), needle.data(), needle.size()))) != nullptr) {
      if (at != needle.data()) ++found;
      ++at;
    }
  }
  return found;
}

TEST(Entropy, ForgetsWhatItServed) {
  Entropy entropy;
  Bytes inverted;
  {
    std::array<std::uint8_t, 24> served{};
    entropy.fill(served);
    for (const std::uint8_t byte : served) inverted.push_back(static_cast<std::uint8_t>(~byte));
    EXPECT_GE(occurrences(inverted), 1u);  // still in `served`: the search works
    served.fill(0);
    __asm__ volatile("" : : "r"(served.data()) : "memory");
  }
  EXPECT_EQ(occurrences(inverted), 0u);
}

// The heap is searched however large it is: there the bytes of a careless copy would lie.
TEST(Entropy, IsLookedForInAllOfTheHeap) {
  const std::vector<std::unique_ptr<Bytes>> grown = [] {
    std::vector<std::unique_ptr<Bytes>> pieces;
    for (int i = 0; i < 1000; ++i)
      pieces.push_back(std::make_unique<Bytes>(100'000));  // each below mmap's limit
    return pieces;
  }();
  Entropy entropy;
  Bytes inverted;
  for (const std::uint8_t byte : take(entropy, 24)) inverted.push_back(static_cast<std::uint8_t>(~byte));
  for (std::size_t i = 0; i < inverted.size(); ++i)
    (*grown.back())[i] = static_cast<std::uint8_t>(~inverted[i]);
  EXPECT_GE(occurrences(inverted), 1u);
}
#endif

TEST(Entropy, RefusesABrokenKernel) {
  for (const Kernel broken : {Kernel::failing, Kernel::cut_short, Kernel::constant, Kernel::zero}) {
    const WithKernel scripted(broken);
    try {
      const Entropy entropy;
      ADD_FAILURE() << "kernel " << static_cast<int>(broken) << " was trusted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::entropy_failed);
    }
  }
}

TEST(Entropy, RefusesAKernelThatBreaksLater) {
  Entropy entropy;
  const WithKernel scripted(Kernel::failing);
  EXPECT_THROW(entropy.rekey(), Error);
}

TEST(Entropy, OutlivesAnInterruptedCall) {
  const WithKernel scripted(Kernel::interrupted_once);
  Entropy entropy;
  EXPECT_NE(take(entropy, 32), Bytes(32, 0));
}

}  // namespace
}  // namespace postern::owner
