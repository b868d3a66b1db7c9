#include "postern/owner/exponential_mechanism.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <vector>

#include <openssl/crypto.h>

#include "postern/core/error.hpp"
#include "postern/core/int128.hpp"
#include "postern/owner/bernoulli.hpp"
#include "postern/owner/digits.hpp"

namespace postern::owner {
namespace {

constexpr unsigned kWeightBits = 62;

unsigned bit_length(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + static_cast<unsigned>(std::bit_width(high))
                   : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

}  // namespace

struct ExponentialSampler::Tables {
  Tables(std::span<const std::int64_t> scores, const Rational& scale);
  [[nodiscard]] std::size_t cell_of(Uint128 v) const;
  [[nodiscard]] bool keep(std::size_t i, Uint128 v, Entropy& entropy) const;
  [[nodiscard]] Rational gap(std::size_t i) const { return scale * Rational(Integer(below_best[i])); }
  void make_guide();

  Rational scale;
  std::vector<unsigned long> below_best;  // best score - score, at most 2^64 - 1
  std::vector<Uint128> ends;              // prefix sums of floor(2^62 e^-gap) + 1
  unsigned bits = 0;                      // of the largest v
  unsigned guide_shift = 0;
  std::vector<std::uint32_t> guide;  // first cell that reaches past the bucket's start
};

ExponentialSampler::Tables::Tables(std::span<const std::int64_t> scores, const Rational& factor)
    : scale(factor) {
  if (scores.empty()) throw Error(ErrorCode::bad_value, {"the exponential mechanism has no candidates"});
  if (scale < 0) throw Error(ErrorCode::bad_value, {"the scale of an exponential mechanism is negative"});
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  std::map<unsigned long, std::uint64_t> known;
  Uint128 sum = 0;
  for (const std::int64_t score : scores) {
    below_best.push_back(static_cast<unsigned long>(best) - static_cast<unsigned long>(score));
    const auto [entry, is_new] = known.try_emplace(below_best.back());
    if (is_new) {
      const Rational x = gap(below_best.size() - 1);
      // Past 44 > 62 ln 2 every one of the 62 digits is zero.
      entry->second = x == 0   ? std::uint64_t{1} << kWeightBits
                      : x > 44 ? 0
                               : digits({CertifiedProbability::Form::exp_minus, x}, kWeightBits).get_ui();
    }
    sum += entry->second + 1;
    ends.push_back(sum);
  }
  bits = bit_length(sum - 1);
  make_guide();
}

void ExponentialSampler::Tables::make_guide() {
  const auto guide_bits = static_cast<unsigned>(std::bit_width(ends.size()));
  guide_shift = bits - guide_bits;  // bits >= 62 + bit_width(K) - 1 > guide_bits
  std::uint32_t cell = 0;
  for (std::size_t bucket = 0; bucket < (std::size_t{1} << guide_bits); ++bucket) {
    const Uint128 start = static_cast<Uint128>(bucket) << guide_shift;
    while (cell + 1 < ends.size() && ends[cell] <= start) ++cell;
    guide.push_back(cell);
  }
  guide.push_back(static_cast<std::uint32_t>(ends.size() - 1));
}

std::size_t ExponentialSampler::Tables::cell_of(Uint128 v) const {
  const auto bucket = static_cast<std::size_t>(v >> guide_shift);
  const auto first = ends.begin() + guide[bucket];
  const auto last = ends.begin() + guide[bucket + 1];
  return static_cast<std::size_t>(std::upper_bound(first, last, v) - ends.begin());
}

/// Keeps i with probability 2^62 e^-gap / W_i: surely below the last slot, by the digits after the 62nd in
/// it. The last slot of a best candidate is never kept: its weight is 2^62 exactly.
bool ExponentialSampler::Tables::keep(std::size_t i, Uint128 v, Entropy& entropy) const {
  if (v + 1 != ends[i]) [[likely]]
    return true;
  const Rational x = gap(i);
  return x != 0 && continue_below({CertifiedProbability::Form::exp_minus, x}, kWeightBits, entropy);
}

ExponentialSampler::ExponentialSampler(std::span<const std::int64_t> scores, const Rational& scale)
    : tables_(std::make_unique<Tables>(scores, scale)) {}
ExponentialSampler::ExponentialSampler(ExponentialSampler&&) noexcept = default;
ExponentialSampler::~ExponentialSampler() = default;

std::size_t ExponentialSampler::draw(Entropy& entropy) const {
  std::size_t index = 0;
  draw(std::span(&index, 1), entropy);
  return index;
}

void ExponentialSampler::draw(std::span<std::size_t> out, Entropy& entropy) const {
  std::array<Uint128, 256> uniform;
  std::size_t most = 0;
  const Uint128 mask = (static_cast<Uint128>(1) << tables_->bits) - 1;
  const Uint128 total = tables_->ends.back();
  while (!out.empty()) {
    const std::size_t tries = std::min(uniform.size(), out.size() + out.size() / 2 + 2);
    most = std::max(most, tries);
    entropy.fill({reinterpret_cast<std::uint8_t*>(uniform.data()), tries * sizeof uniform[0]});
    for (std::size_t i = 0; i < tries && !out.empty(); ++i) {
      const Uint128 v = uniform[i] & mask;
      if (v >= total) continue;
      const std::size_t cell = tables_->cell_of(v);
      if (!tables_->keep(cell, v, entropy)) continue;
      out.front() = cell;
      out = out.subspan(1);
    }
  }
  OPENSSL_cleanse(uniform.data(), most * sizeof uniform[0]);
}

}  // namespace postern::owner
