#include "postern/infer/noise/published_values.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/release/foreign.hpp"

namespace postern::infer {
namespace {

constexpr double kNarrow = 1e-5;  ///< bands of so few standard deviations are points, to 1e-11

/// Where noisy values lie that were published as something, before they were published: from `low` on and,
/// but for a set of measure 0, below `high`.
struct Preimage {
  std::optional<Rational> low;
  std::optional<Rational> high;
};

Rational multiple_up(const Rational& value, const Rational& of) { return Rational(ceil(value / of)) * of; }
Rational multiple_down(const Rational& value, const Rational& of) { return Rational(floor(value / of)) * of; }

/// Noisy values that round to at least, or to at most, a bound.
Rational rounds_to_at_least(const Rational& bound, const model::Publishing& how) {
  return how.round_to ? Rational(multiple_up(bound, *how.round_to) - *how.round_to / 2) : bound;
}
Rational rounds_to_at_most(const Rational& bound, const model::Publishing& how, bool whole) {
  if (how.round_to) return multiple_down(bound, *how.round_to) + *how.round_to / 2;
  return whole ? Rational(bound + 1) : bound;
}

Preimage preimage(const std::optional<Rational>& value, const model::ForeignBlock& block) {
  model::Publishing how = block.published;
  if (mutant(90)) how.round_to.reset();
  if (!value) return {std::nullopt, rounds_to_at_least(*how.threshold, how)};
  const bool whole = model::is_discrete(block.law);
  Preimage out{rounds_to_at_least(*value, how), rounds_to_at_most(*value, how, whole)};
  if (how.at_least && *value == *how.at_least) out.low.reset();
  if (how.at_most && *value == *how.at_most) out.high.reset();
  return out;
}

/// Whole numbers from `low` on and below `high`; otherwise these themselves.
Band band_of(const Preimage& from, bool whole) {
  Band out{-HUGE_VAL, HUGE_VAL};
  if (from.low) out.low = whole ? Rational(ceil(*from.low)).get_d() : from.low->get_d();
  if (from.high) out.high = whole ? Rational(ceil(*from.high)).get_d() - 1 : from.high->get_d();
  return out;
}

/// A place in a band: its value, and where nothing was published the count nearest to 0.
double place_in(const Band& band, const std::optional<Rational>& value) {
  if (value) return value->get_d();
  return std::min(band.high, 0.0);
}

}  // namespace

std::vector<NoisyValue> noisy_values(const release::MeasuredBlock& measured) {
  const release::NoiseLaw law = release::noise_law(measured.block.noise);
  std::vector<NoisyValue> out;
  out.reserve(measured.values.size());
  for (const Int128 value : measured.values) out.push_back({static_cast<double>(value), law});
  return out;
}

std::vector<NoisyValue> noisy_values(const model::ForeignBlock& block, const LatentUnit& latent) {
  const release::NoiseLaw law = release::noise_law(block, latent.unit);
  const bool whole = model::is_discrete(block.law);
  const double narrow = whole ? 0 : kNarrow * std::sqrt(release::variance(law));
  std::vector<NoisyValue> out;
  out.reserve(block.values.size());
  for (const auto& value : block.values) {
    const Band band = band_of(preimage(value, block), whole);
    NoisyValue& seen = out.emplace_back(NoisyValue{place_in(band, value), law});
    seen.y = (seen.y - latent.zero) / latent.unit;
    const Band there{(band.low - latent.zero) / latent.unit, (band.high - latent.zero) / latent.unit};
    if (there.high - there.low <= narrow) continue;
    if (whole && (latent.unit != 1 || latent.zero != std::round(latent.zero))) {
      throw Error(
          ErrorCode::engine_unsuitable,
          {"values of discrete noise that were rounded, clipped or held back are taken in steps of 1, "
           "and the column has other steps; declare a grid of 1, or state continuous noise"});
    }
    seen.band = there;
  }
  return out;
}

bool any_band(std::span<const NoisyValue> values) {
  return std::any_of(values.begin(), values.end(), [](const NoisyValue& value) { return value.band; });
}

}  // namespace postern::infer
