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

DrawnNoise::DrawnNoise(ChargeToken&& token, Entropy& entropy) : token_(std::move(token)), entropy_(entropy) {
  const std::vector<model::Block>& blocks = token_.plan().measurement.blocks;
  chosen_.resize(blocks.size());
  for (const model::Block& block : blocks) {
    const bool choice = block.noise.kind == model::NoiseKind::exponential;
    std::vector<Int128> values(choice ? 0 : block.size);
    draw_block(block.noise, values, entropy_);
    if (mutant(5) && !values.empty()) std::fill(values.begin(), values.end(), values.front());
    added_.push_back(std::move(values));
  }
}

Int128 DrawnNoise::choose(std::size_t block, std::span<const Int128> scores) {
  const model::Noise& noise = token_.plan().measurement.blocks.at(block).noise;
  if (chosen_[block] || noise.kind != model::NoiseKind::exponential)
    throw Error(ErrorCode::internal, {"a choice was asked for that the plan does not hold"});
  chosen_[block] = true;
  Wiped<std::int64_t> narrow(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) narrow[i] = static_cast<std::int64_t>(scores[i]);
  return static_cast<Int128>(ExponentialSampler(narrow, noise.parameter).draw(entropy_));
}

NoiseSource::NoiseSource(ChargeToken&& token, Entropy& entropy)
    : token_(std::move(token)), entropy_(entropy) {}

DrawnNoise NoiseSource::draw() && {
  entropy_.rekey();
  return {std::move(token_), entropy_};
}

}  // namespace postern::owner
