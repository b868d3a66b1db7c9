#include "postern/owner/noise_source.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/discrete_laplace.hpp"
#include "postern/owner/exponential_mechanism.hpp"

namespace postern::owner {
namespace {

void draw_block(const model::Noise& noise, std::span<Int128> out, Entropy& entropy) {
  switch (noise.kind) {
    case model::NoiseKind::discrete_laplace:
      return DiscreteLaplaceSampler(noise.parameter).draw(out, entropy);
    case model::NoiseKind::discrete_gaussian:
      return DiscreteGaussianSampler(noise.parameter).draw(out, entropy);
    case model::NoiseKind::exponential:
      return;
  }
}

}  // namespace

NoiseSource::NoiseSource(ChargeToken&& token, Entropy& entropy)
    : token_(std::move(token)), entropy_(entropy) {}

std::vector<std::vector<Int128>> NoiseSource::draw() {
  if (drawn_) throw Error(ErrorCode::internal, {"a noise source was asked twice"});
  drawn_ = true;
  entropy_.rekey();
  std::vector<std::vector<Int128>> noise;
  for (const model::Block& block : token_.plan().measurement.blocks) {
    const bool choice = block.noise.kind == model::NoiseKind::exponential;
    std::vector<Int128> values(choice ? 0 : block.size);
    draw_block(block.noise, values, entropy_);
    if (mutant(5) && !values.empty()) std::fill(values.begin(), values.end(), values.front());
    noise.push_back(std::move(values));
  }
  return noise;
}

Int128 NoiseSource::choose(std::size_t block, std::span<const Int128> scores) {
  const std::vector<model::Block>& blocks = token_.plan().measurement.blocks;
  chosen_.resize(blocks.size());
  if (!drawn_ || chosen_[block] || blocks[block].noise.kind != model::NoiseKind::exponential)
    throw Error(ErrorCode::internal, {"a choice was asked for that the plan does not hold"});
  chosen_[block] = true;
  Wiped<std::int64_t> narrow(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) narrow[i] = static_cast<std::int64_t>(scores[i]);
  return static_cast<Int128>(ExponentialSampler(narrow, blocks[block].noise.parameter).draw(entropy_));
}

}  // namespace postern::owner
