#include "postern/owner/bernoulli.hpp"

#include <array>
#include <utility>

#include "postern/core/mutant.hpp"

namespace postern::owner {
namespace {

/// A uniform integer of `bits` <= 64 bits.
std::uint64_t uniform_bits(unsigned bits, Entropy& entropy) {
  std::array<std::uint8_t, 8> bytes{};
  const std::size_t used = (bits + 7) / 8;
  entropy.fill(std::span(bytes).first(used));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < used; ++i) value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

Integer uniform_integer(unsigned bits, Entropy& entropy) {
  std::array<std::uint8_t, kNextBits / 8> bytes{};
  entropy.fill(std::span(bytes).first(bits / 8));
  Integer value;
  mpz_import(value.get_mpz_t(), bits / 8, 1, 1, 0, 0, bytes.data());
  return value;
}

}  // namespace

bool continue_below(const CertifiedProbability& p, unsigned known, Entropy& entropy) {
  for (;;) {
    known += kNextBits;
    Integer next = digits(p, known);
    mpz_fdiv_r_2exp(next.get_mpz_t(), next.get_mpz_t(), kNextBits);
    const int order = cmp(uniform_integer(kNextBits, entropy), next);
    if (order != 0) return order < 0;
  }
}

LazyBernoulli::LazyBernoulli(CertifiedProbability p) : p_(std::move(p)) {
  const Integer prefix = digits(p_, kFirstBits + kSecondBits);
  const std::uint64_t bits = prefix.get_ui();
  first_ = static_cast<std::uint16_t>(bits >> kSecondBits);
  second_ = bits & ((std::uint64_t{1} << kSecondBits) - 1);
}

bool LazyBernoulli::resolve(Entropy& entropy) const {
  const std::uint64_t r = uniform_bits(kSecondBits, entropy);
  if (r != second_) return r < second_;
  if (mutant(22)) return true;
  return continue_below(p_, kFirstBits + kSecondBits, entropy);
}

bool LazyBernoulli::draw(Entropy& entropy) const {
  const std::uint64_t r = uniform_bits(kFirstBits, entropy);
  return r != first_ ? r < first_ : resolve(entropy);
}

}  // namespace postern::owner
