#include "postern/owner/noise_source.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/noise_limits.hpp"
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

std::vector<std::vector<Int128>> draw_all(std::span<const model::BlockNoise> blocks, Entropy& entropy) {
  std::vector<std::vector<Int128>> out;
  for (const model::BlockNoise& block : blocks) {
    const bool choice = block.noise.kind == model::NoiseKind::exponential;
    std::vector<Int128> values(choice ? 0 : block.size);
    draw_block(block.noise, values, entropy);
    if (mutant(5) && !values.empty()) std::fill(values.begin(), values.end(), values.front());
    out.push_back(std::move(values));
  }
  return out;
}

std::vector<model::BlockNoise> laws_of(const model::Measurement& measurement) {
  std::vector<model::BlockNoise> out;
  for (const model::Block& block : measurement.blocks) out.push_back({block.noise, block.size});
  return out;
}

bool same_laws(const std::vector<model::BlockNoise>& a, const std::vector<model::BlockNoise>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const model::BlockNoise& x, const model::BlockNoise& y) {
        return x.noise.kind == y.noise.kind && x.noise.parameter == y.noise.parameter && x.size == y.size;
      });
}

/// Of a later round: what it says, or under planted bugs 71 and 119 a third and a quarter of the noise.
model::Noise as_drawn(const model::Noise& noise) {
  const int times = mutant(71) ? 3 : mutant(119) ? 4 : 1;
  if (times == 1) return noise;
  const bool gaussian = noise.kind == model::NoiseKind::discrete_gaussian;
  return {noise.kind,
          gaussian ? Rational(noise.parameter / (times * times)) : Rational(noise.parameter * times)};
}

std::vector<std::vector<Int128>> draw_later(std::vector<model::BlockNoise> laws, Entropy& entropy) {
  for (model::BlockNoise& law : laws) law.noise = as_drawn(law.noise);
  return draw_all(laws, entropy);
}

}  // namespace

DrawnNoise::DrawnNoise(ChargeToken&& token, Entropy& entropy)
    : token_(std::move(token)), entropy_(entropy), measurement_(token_.plan().measurement) {
  added_ = draw_all(laws_of(measurement_), entropy_);
  chosen_.resize(measurement_.blocks.size());
  draw_ahead();
}

void DrawnNoise::draw_ahead() {
  const model::NoisePlan& plan = token_.plan();
  if (!plan.rounds) return;
  const model::Study& study = token_.study();
  const model::RoundRule* rule = study.model.kind().round_rule(study, plan.request);
  for (std::size_t round = 1; rule != nullptr && round < plan.rounds->at_most; ++round) {
    const auto foreseen = rule->foreseen(study, plan.request, plan.cost.exact(), round);
    if (!foreseen) continue;
    Ahead ahead{*foreseen, {}};
    for (model::BlockNoise& law : ahead.laws) law.noise = model::writable_noise(law.noise);
    ahead.added = draw_later(ahead.laws, entropy_);
    ahead_[round] = std::move(ahead);
  }
}

bool DrawnNoise::next_round(std::span<const model::PublishedRound> before) {
  const model::NoisePlan& plan = token_.plan();
  if (!plan.rounds || before.size() != round_ + 1)
    throw Error(ErrorCode::internal, {"a round was asked for that the plan does not hold"});
  auto next = model::next_round(token_.study(), plan.request, plan.cost, before);
  if (next) take_round(std::move(*next), round_ + 1);
  return next.has_value();
}

void DrawnNoise::take_round(model::Measurement measurement, std::size_t round) {
  const std::vector<model::BlockNoise> laws = laws_of(measurement);
  const auto ahead = ahead_.find(round);
  if (ahead != ahead_.end() && !same_laws(ahead->second.laws, laws))
    throw Error(ErrorCode::internal, {"a round does not have the noise that was foreseen for it"});
  added_ = ahead != ahead_.end() ? std::move(ahead->second.added) : draw_later(laws, entropy_);
  measurement_ = std::move(measurement);
  chosen_.assign(measurement_.blocks.size(), false);
  round_ = round;
}

Int128 DrawnNoise::choose(std::size_t block, std::span<const Int128> scores) {
  const model::Noise& noise = measurement_.blocks.at(block).noise;
  if (chosen_[block] || noise.kind != model::NoiseKind::exponential)
    throw Error(ErrorCode::internal, {"a choice was asked for that the plan does not hold"});
  chosen_[block] = true;
  Wiped<std::int64_t> narrow(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) narrow[i] = static_cast<std::int64_t>(scores[i]);
  const Rational scale = round_ == 0 ? noise.parameter : as_drawn(noise).parameter;
  return static_cast<Int128>(ExponentialSampler(narrow, scale).draw(entropy_));
}

NoiseSource::NoiseSource(ChargeToken&& token, Entropy& entropy)
    : token_(std::move(token)), entropy_(entropy) {}

DrawnNoise NoiseSource::draw() && {
  entropy_.rekey();
  return {std::move(token_), entropy_};
}

}  // namespace postern::owner
