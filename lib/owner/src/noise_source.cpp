#include "postern/owner/noise_source.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "postern/core/mutant.hpp"
#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/discrete_laplace.hpp"

namespace postern::owner {
namespace {

void draw_block(const model::Noise& noise, std::span<Int128> out, Entropy& entropy) {
  switch (noise.kind) {
    case model::NoiseKind::discrete_laplace:
      return DiscreteLaplaceSampler(noise.parameter).draw(out, entropy);
    case model::NoiseKind::discrete_gaussian:
      return DiscreteGaussianSampler(noise.parameter).draw(out, entropy);
  }
}

}  // namespace

NoiseSource::NoiseSource(ChargeToken&& token, Entropy& entropy)
    : token_(std::move(token)), entropy_(entropy) {}

std::vector<std::vector<Int128>> NoiseSource::draw() && {
  entropy_.rekey();
  std::vector<std::vector<Int128>> noise;
  for (const model::Block& block : token_.plan().measurement.blocks) {
    std::vector<Int128> values(block.size);
    draw_block(block.noise, values, entropy_);
    if (mutant(5) && !values.empty()) std::fill(values.begin(), values.end(), values.front());
    noise.push_back(std::move(values));
  }
  return noise;
}

}  // namespace postern::owner
