#include "postern/core/rng.hpp"

#include <set>

#include <gtest/gtest.h>

namespace postern {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers published with Random123 (kat_vectors, "philox4x32 10").
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox4x32({f, f, f, f}, {f, f}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, WalksTheCounterWithTheSeedAsKey) {
  Rng rng(0x0123456789abcdef, 7, Purpose::synthesis);
  for (std::uint32_t block = 0; block < 50; ++block) {
    const Block words = philox4x32({block, 0, 7, 4}, {0x89abcdef, 0x01234567});
    EXPECT_EQ(rng(), words[0] | std::uint64_t{words[1]} << 32);
    EXPECT_EQ(rng(), words[2] | std::uint64_t{words[3]} << 32);
  }
}

TEST(Rng, StreamsDiffer) {
  std::set<std::uint64_t> first;
  int streams = 0;
  for (const std::uint64_t seed : {1ULL, 2ULL, 1ULL << 32}) {
    for (const std::uint32_t stream : {0U, 1U, 4U}) {
      for (const Purpose purpose : {Purpose::draws, Purpose::simulation, Purpose::test}) {
        first.insert(Rng(seed, stream, purpose)());
        ++streams;
      }
    }
  }
  EXPECT_EQ(first.size(), static_cast<std::size_t>(streams));
}

TEST(Rng, UniformStaysInsideTheUnitInterval) {
  // The extreme cells, by the formula in the header; 53 bits would round the last one to 1.
  EXPECT_GT((0 + 0.5) * 0x1p-52, 0);
  EXPECT_LT((static_cast<double>(~std::uint64_t{0} >> 12) + 0.5) * 0x1p-52, 1);
  Rng rng(1, 0, Purpose::test);
  for (int i = 0; i < 100'000; ++i) {
    const double u = rng.uniform();
    ASSERT_TRUE(u > 0 && u < 1);
  }
}

}  // namespace
}  // namespace postern
