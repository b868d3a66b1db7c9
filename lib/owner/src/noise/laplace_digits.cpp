#include "laplace_digits.hpp"

#include <algorithm>

#include <openssl/crypto.h>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/owner/laplace_kernel.hpp"

namespace postern::owner {
namespace {

using Form = CertifiedProbability::Form;

constexpr std::size_t kNarrowDigits = 61;  // |x| < 2^62 unless a tail comes, so that 64-bit words hold it
constexpr std::size_t kMostDigits = 102;

/// m = max(0, least integer with 2^m lambda >= 45): the tail 2^m is reached with probability e^-45 < 2^-64.
/// The maximum is for lambda >= 90, where the least such integer is negative.
std::size_t digit_count(const Rational& lambda) {
  std::size_t m = 0;
  for (Rational reach = lambda; reach < 45 && m <= kMostDigits; reach *= 2) ++m;
  return m;
}

Rational twice_to_the(std::size_t exponent, const Rational& lambda) {
  Rational out;
  mpq_mul_2exp(out.get_mpq_t(), lambda.get_mpq_t(), exponent);
  return out;
}

}  // namespace

LaplaceDigits::LaplaceDigits(const Rational& lambda) {
  if (lambda <= 0) throw Error(ErrorCode::bad_value, {"a noise parameter must be positive"});
  if (twice_to_the(96, lambda) < 1) throw Error(ErrorCode::unsupported, {"the noise scale is above 2^96"});
  digits_ = digit_count(lambda);
  for (std::size_t i = 0; i < digits_; ++i) {
    variables_.emplace_back(CertifiedProbability{Form::logistic, twice_to_the(i, lambda)});
  }
  variables_.emplace_back(CertifiedProbability{Form::exp_minus, twice_to_the(digits_, lambda)});
  variables_.emplace_back(CertifiedProbability{Form::half_tanh, lambda});
  for (const LazyBernoulli& variable : variables_) thresholds_.push_back(biased_threshold(variable.first()));
  if (mutant(8)) {
    const unsigned doubled = 2u * variables_.back().first();
    thresholds_.back() =
        biased_threshold(static_cast<std::uint16_t>(std::min(doubled, (1u << kFirstBits) - 1)));
  }
}

LaplaceDigits::Block::~Block() {
  OPENSSL_cleanse(lanes_.data(), most_lanes_ * sizeof lanes_[0]);
  OPENSSL_cleanse(magnitude.data(), most_draws_ * sizeof magnitude[0]);
  OPENSSL_cleanse(negative.data(), most_draws_ * sizeof negative[0]);
  OPENSSL_cleanse(outliers.data(), outliers.size() * sizeof(Outlier));
}

/// Fills the lanes of the block; returns its number of groups.
std::size_t LaplaceDigits::begin(std::size_t wanted, Block& block, Entropy& entropy) const {
  const std::size_t group_lanes = rows() * kGroup;
  const std::size_t most = std::min(kMostDraws / kGroup, kBufferLanes / group_lanes);
  const std::size_t groups = std::min(most, (wanted + kGroup - 1) / kGroup);
  const std::size_t lanes = groups * group_lanes;
  block.count = groups * kGroup;
  block.outliers.clear();
  block.most_draws_ = std::max(block.most_draws_, block.count);
  block.most_lanes_ = std::max(block.most_lanes_, lanes);
  entropy.fill({reinterpret_cast<std::uint8_t*>(block.lanes_.data()), lanes * sizeof block.lanes_[0]});
  return groups;
}

void LaplaceDigits::draw(std::size_t wanted, Block& block, Entropy& entropy) const {
  const std::size_t groups = begin(wanted, block, entropy);
  std::array<std::uint8_t, kMostDraws / kGroup> tied;
  tied.fill(1);
  const bool narrow = digits_ <= kNarrowDigits;
  if (narrow) {
    fold(fastest_variant(), {block.lanes_.data(), groups, thresholds_.data(), digits_, block.magnitude.data(),
                             block.negative.data(), tied.data()});
  }
  for (std::size_t group = 0; group < groups; ++group) {
    if (tied[group] == 0) continue;
    for (std::size_t j = 0; j < kGroup; ++j) {
      const std::uint16_t* lane = block.lanes_.data() + group * rows() * kGroup + j;
      if (!narrow || has_tie(lane)) draw_alone(group * kGroup + j, lane, block, entropy);
    }
  }
  if (mutant(7)) block.negative.fill(0);
}

bool LaplaceDigits::has_tie(const std::uint16_t* lane) const {
  for (std::size_t row = 0; row < variables_.size(); ++row) {
    if (biased_lane(lane[row * kGroup]) == thresholds_[row]) return true;
  }
  return false;
}

bool LaplaceDigits::decide(std::size_t row, const std::uint16_t* lane, Entropy& entropy) const {
  const std::int16_t r = biased_lane(lane[row * kGroup]);
  return r != thresholds_[row] ? r < thresholds_[row] : variables_[row].resolve(entropy);
}

/// One draw, level by level. A tail is memoryless: it adds 2^m and is drawn again.
void LaplaceDigits::draw_alone(std::size_t index, const std::uint16_t* lane, Block& block,
                               Entropy& entropy) const {
  Uint128 magnitude = 1;
  for (std::size_t i = 0; i < digits_; ++i) {
    magnitude += static_cast<Uint128>(decide(i, lane, entropy) ? 1 : 0) << i;
  }
  for (bool tail = decide(digits_, lane, entropy); tail; tail = variables_[digits_].draw(entropy)) {
    magnitude += static_cast<Uint128>(1) << digits_;
  }
  if (decide(digits_ + 1, lane, entropy)) magnitude = 0;
  const bool negative = (lane[(digits_ + 2) * kGroup] & 1) != 0;
  block.magnitude[index] = static_cast<std::uint64_t>(magnitude);
  block.negative[index] = negative ? ~std::uint64_t{0} : 0;
  if (magnitude >> 63 != 0) block.outliers.push_back({index, magnitude});
}

}  // namespace postern::owner
