#include "postern/core/rng.hpp"

#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace postern {
namespace {

constexpr std::uint32_t kLeft = 0xD2511F53;
constexpr std::uint32_t kRight = 0xCD9E8D57;
// The Weyl sequence of the key: the golden ratio and sqrt(3) - 1.
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;

using Key = std::array<std::uint32_t, 2>;

#if defined(__SSE2__)

/// Two blocks; a word stands in the low half of a lane, and what the high half holds does not matter.
struct TwoBlocks {
  __m128i a, b, c, d;

  TwoBlocks(std::uint64_t block, std::uint32_t stream, std::uint32_t purpose)
      : a(_mm_add_epi64(_mm_set1_epi64x(static_cast<std::int64_t>(block)), _mm_set_epi64x(1, 0))),
        b(_mm_srli_epi64(a, 32)),
        c(_mm_set1_epi64x(stream)),
        d(_mm_set1_epi64x(purpose)) {}

  void round(const Key& key) {
    const __m128i left = _mm_mul_epu32(a, _mm_set1_epi64x(kLeft));
    const __m128i right = _mm_mul_epu32(c, _mm_set1_epi64x(kRight));
    a = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(right, 32), b), _mm_set1_epi64x(key[0]));
    c = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(left, 32), d), _mm_set1_epi64x(key[1]));
    b = right;
    d = left;
  }

  void store(std::uint64_t* words) const {
    const __m128i low = _mm_set1_epi64x(0xFFFFFFFF);
    const __m128i first = _mm_or_si128(_mm_and_si128(a, low), _mm_slli_epi64(b, 32));
    const __m128i second = _mm_or_si128(_mm_and_si128(c, low), _mm_slli_epi64(d, 32));
    auto* place = reinterpret_cast<__m128i*>(words);
    _mm_storeu_si128(place, _mm_unpacklo_epi64(first, second));
    _mm_storeu_si128(place + 1, _mm_unpackhi_epi64(first, second));
  }
};

/// The rounds of a block wait for each other, and its neighbours fill the gaps.
void make_words(std::uint64_t block, std::uint32_t stream, std::uint32_t purpose, Key key,
                std::span<std::uint64_t, 16> words) {
  std::array<TwoBlocks, 4> blocks{TwoBlocks(block, stream, purpose), TwoBlocks(block + 2, stream, purpose),
                                  TwoBlocks(block + 4, stream, purpose),
                                  TwoBlocks(block + 6, stream, purpose)};
  for (int round = 0; round < 10; ++round) {
    for (TwoBlocks& two : blocks) two.round(key);
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].store(words.data() + 4 * i);
}

#else

void make_words(std::uint64_t block, std::uint32_t stream, std::uint32_t purpose, Key key,
                std::span<std::uint64_t, 16> words) {
  for (std::size_t i = 0; i < words.size(); i += 2, ++block) {
    const auto made = philox4x32(
        {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), stream, purpose}, key);
    words[i] = made[0] | std::uint64_t{made[1]} << 32;
    words[i + 1] = made[2] | std::uint64_t{made[3]} << 32;
  }
}

#endif

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t left = std::uint64_t{kLeft} * counter[0];
    const std::uint64_t right = std::uint64_t{kRight} * counter[2];
    counter = {
        static_cast<std::uint32_t>(right >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(right),
        static_cast<std::uint32_t>(left >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(left)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

Rng::Rng(std::uint64_t seed, std::uint32_t stream, Purpose purpose)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      stream_(stream),
      purpose_(static_cast<std::uint32_t>(purpose)) {}

void Rng::refill() {
  make_words(block_, stream_, purpose_, key_, words_);
  block_ += words_.size() / 2;
  used_ = 0;
}

}  // namespace postern
