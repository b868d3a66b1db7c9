#include "postern/owner/discrete_gaussian.hpp"

#include <algorithm>
#include <array>

#include <openssl/crypto.h>

#include "postern/core/mutant.hpp"
#include "postern/owner/gaussian_filter.hpp"

#include "laplace_digits.hpp"

namespace postern::owner {
namespace {

using Block = LaplaceDigits::Block;

/// Proposals to make for `wanted` draws: between 1.3 and 2.2 tries are needed for one.
std::size_t proposals_for(std::size_t wanted) { return wanted + wanted / 2 + 1; }

/// The random choices of one block; erased when it goes.
struct Workspace {
  Block block;
  std::array<std::uint64_t, LaplaceDigits::kMostDraws> uniform;
  std::size_t most = 0;

  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() { OPENSSL_cleanse(uniform.data(), most * sizeof uniform[0]); }
};

Int128 with_sign(Uint128 magnitude, std::uint64_t negative) {
  return negative != 0 ? -static_cast<Int128>(magnitude) : static_cast<Int128>(magnitude);
}

}  // namespace

struct DiscreteGaussianSampler::Tables {
  explicit Tables(const Rational& sigma2)
      : filter(mutant(2) ? Rational(sigma2 / 4) : sigma2), proposals(1 / Rational(filter.proposal_scale())) {}

  /// Moves the accepted draws of a block to its front; returns how many. Rejected ones are overwritten, not
  /// skipped.
  std::size_t keep_accepted(Workspace& work, Entropy& entropy) const {
    std::uint64_t* magnitude = work.block.magnitude.data();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < work.block.count; ++i) {
      const std::uint64_t y = magnitude[i];
      const std::uint64_t u = work.uniform[i] >> 1;
      GaussianFilter::Decision decision = filter.decide(y, u);
      if (decision.undecided != 0) [[unlikely]]
        decision.accept = filter.decide_exactly(y, u, entropy) ? 1 : 0;
      const std::uint64_t negative = work.block.negative[i];
      magnitude[kept] = (y ^ negative) - negative;
      kept += decision.accept;
    }
    return kept;
  }

  /// For magnitudes that do not fit 63 bits. Returns the accepted draws.
  std::vector<Int128> accept_wide(Workspace& work, Entropy& entropy) const {
    std::vector<Uint128> magnitude(work.block.magnitude.begin(),
                                   work.block.magnitude.begin() + work.block.count);
    for (const LaplaceDigits::Outlier& outlier : work.block.outliers)
      magnitude[outlier.index] = outlier.magnitude;
    std::vector<Int128> kept;
    for (std::size_t i = 0; i < magnitude.size(); ++i) {
      const std::uint64_t u = work.uniform[i] >> 1;
      GaussianFilter::Decision decision = filter.decide_wide(magnitude[i], u);
      if (decision.undecided != 0) decision.accept = filter.decide_exactly(magnitude[i], u, entropy) ? 1 : 0;
      if (decision.accept != 0) kept.push_back(with_sign(magnitude[i], work.block.negative[i]));
    }
    return kept;
  }

  GaussianFilter filter;
  LaplaceDigits proposals;
};

DiscreteGaussianSampler::DiscreteGaussianSampler(const Rational& sigma2)
    : tables_(std::make_unique<Tables>(sigma2)) {}
DiscreteGaussianSampler::DiscreteGaussianSampler(DiscreteGaussianSampler&&) noexcept = default;
DiscreteGaussianSampler::~DiscreteGaussianSampler() = default;

void DiscreteGaussianSampler::draw(std::span<Int128> out, Entropy& entropy) const {
  Workspace work;
  while (!out.empty()) {
    tables_->proposals.draw(proposals_for(out.size()), work.block, entropy);
    entropy.fill(
        {reinterpret_cast<std::uint8_t*>(work.uniform.data()), work.block.count * sizeof work.uniform[0]});
    std::size_t taken = 0;
    if (tables_->filter.narrow() && work.block.outliers.empty()) {
      taken = std::min(out.size(), tables_->keep_accepted(work, entropy));
      for (std::size_t i = 0; i < taken; ++i) out[i] = static_cast<std::int64_t>(work.block.magnitude[i]);
    } else {
      const std::vector<Int128> kept = tables_->accept_wide(work, entropy);
      taken = std::min(out.size(), kept.size());
      std::copy_n(kept.begin(), taken, out.begin());
    }
    out = out.subspan(taken);
  }
}

}  // namespace postern::owner
