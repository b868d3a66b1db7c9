#include "scan.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace postern::owner {
namespace {

constexpr std::size_t kStep = 64;
// Positions are written eight at a time, so a list may be written past its end by that much.
constexpr std::size_t kSlack = kStep + 8;

/// One bit for each of 64 bytes.
struct Masks {
  std::uint64_t ends = 0;
  std::uint64_t newlines = 0;
  std::uint64_t odd = 0;
};

/// Appends the positions of the bits. Eight at a time without a branch: most steps have fewer marks than
/// that.
[[gnu::always_inline]] inline std::size_t append(std::uint64_t bits, std::size_t base, std::uint32_t* list,
                                                 std::size_t count) {
  const auto total = static_cast<std::size_t>(std::popcount(bits));
  for (std::size_t done = 0; done < total; done += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      list[count + done + k] =
          static_cast<std::uint32_t>(base + static_cast<std::size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
  }
  return count + total;
}

[[gnu::always_inline]] inline void record(const Masks& masks, std::size_t base, std::uint64_t valid,
                                          Marks& marks) {
  marks.end_count = append(masks.ends & valid, base, marks.ends.data(), marks.end_count);
  marks.newline_count = append(masks.newlines & valid, base, marks.newlines.data(), marks.newline_count);
  if ((masks.odd & valid) != 0)
    marks.odd_count = append(masks.odd & valid, base, marks.odd.data(), marks.odd_count);
}

std::uint64_t valid_bits(std::size_t left) {
  return left >= kStep ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,popcnt")]] void scan_avx2(const char* memory, std::size_t begin, std::size_t end,
                                                  char delimiter, Marks& marks) {
  const __m256i between = _mm256_set1_epi8(delimiter);
  const __m256i newline = _mm256_set1_epi8('\n');
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i zero = _mm256_setzero_si256();
  for (std::size_t base = begin; base < end; base += kStep) {
    Masks masks;
    for (std::size_t half = 0; half < 2; ++half) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(memory + base + 32 * half));
      const __m256i lines = _mm256_cmpeq_epi8(bytes, newline);
      const __m256i ends = _mm256_or_si256(lines, _mm256_cmpeq_epi8(bytes, between));
      const __m256i odd = _mm256_or_si256(_mm256_or_si256(bytes, _mm256_cmpeq_epi8(bytes, quote)),
                                          _mm256_cmpeq_epi8(bytes, zero));
      const std::size_t shift = 32 * half;
      masks.ends |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(ends))} << shift;
      masks.newlines |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(lines))} << shift;
      masks.odd |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(odd))} << shift;
    }
    record(masks, base, valid_bits(end - base), marks);
  }
}

void scan_any(const char* memory, std::size_t begin, std::size_t end, char delimiter, Marks& marks) {
  const __m128i between = _mm_set1_epi8(delimiter);
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t base = begin; base < end; base += kStep) {
    Masks masks;
    for (std::size_t part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(memory + base + 16 * part));
      const __m128i lines = _mm_cmpeq_epi8(bytes, newline);
      const __m128i ends = _mm_or_si128(lines, _mm_cmpeq_epi8(bytes, between));
      const __m128i odd =
          _mm_or_si128(_mm_or_si128(bytes, _mm_cmpeq_epi8(bytes, quote)), _mm_cmpeq_epi8(bytes, zero));
      const std::size_t shift = 16 * part;
      masks.ends |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(ends))} << shift;
      masks.newlines |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(lines))} << shift;
      masks.odd |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(odd))} << shift;
    }
    record(masks, base, valid_bits(end - base), marks);
  }
}

#else

void scan_any(const char* memory, std::size_t begin, std::size_t end, char delimiter, Marks& marks) {
  for (std::size_t base = begin; base < end; base += kStep) {
    Masks masks;
    for (unsigned i = 0; i < kStep; ++i) {
      const auto byte = static_cast<unsigned char>(memory[base + i]);
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (byte == '\n') masks.newlines |= bit;
      if (byte == '\n' || byte == static_cast<unsigned char>(delimiter)) masks.ends |= bit;
      if (byte == '"' || byte == 0 || byte >= 0x80) masks.odd |= bit;
    }
    record(masks, base, valid_bits(end - base), marks);
  }
}

#endif

}  // namespace

void scan(const char* memory, std::size_t begin, std::size_t end, char delimiter, Marks& marks) {
  const std::size_t most = end - begin + kSlack;
  for (auto* list : {&marks.ends, &marks.newlines, &marks.odd}) {
    if (list->size() < most) list->resize(most);
  }
  marks.end_count = marks.newline_count = marks.odd_count = 0;
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  if (wide) return scan_avx2(memory, begin, end, delimiter, marks);
#endif
  scan_any(memory, begin, end, delimiter, marks);
}

}  // namespace postern::owner
