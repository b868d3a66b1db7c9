#include "postern/owner/discrete_laplace.hpp"

#include <algorithm>

#include "postern/core/mutant.hpp"

#include "laplace_digits.hpp"

namespace postern::owner {
namespace {

/// Planted bug 21: an absolute value found by branching on it.
void branch_on_magnitudes(std::span<const std::uint64_t> magnitudes) {
  for (const std::uint64_t magnitude : magnitudes) {
    volatile unsigned length = 0;
    for (std::uint64_t rest = magnitude; rest != 0; rest >>= 1) length = length + 1;
  }
}

}  // namespace

struct DiscreteLaplaceSampler::Tables {
  explicit Tables(const Rational& lambda) : digits(mutant(1) ? Rational(2 * lambda) : lambda) {}
  LaplaceDigits digits;
};

DiscreteLaplaceSampler::DiscreteLaplaceSampler(const Rational& lambda)
    : tables_(std::make_unique<Tables>(lambda)) {}
DiscreteLaplaceSampler::DiscreteLaplaceSampler(DiscreteLaplaceSampler&&) noexcept = default;
DiscreteLaplaceSampler::~DiscreteLaplaceSampler() = default;

void DiscreteLaplaceSampler::draw(std::span<Int128> out, Entropy& entropy) const {
  LaplaceDigits::Block block;
  while (!out.empty()) {
    tables_->digits.draw(out.size(), block, entropy);
    const std::size_t count = std::min(out.size(), block.count);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<std::int64_t>((block.magnitude[i] ^ block.negative[i]) - block.negative[i]);
    }
    if (mutant(21)) branch_on_magnitudes(std::span(block.magnitude).first(count));
    for (const LaplaceDigits::Outlier& outlier : block.outliers) {
      const auto magnitude = static_cast<Int128>(outlier.magnitude);
      if (outlier.index < count)
        out[outlier.index] = block.negative[outlier.index] != 0 ? -magnitude : magnitude;
    }
    out = out.subspan(count);
  }
}

}  // namespace postern::owner
