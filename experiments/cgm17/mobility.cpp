#include "mobility.hpp"

#include <cmath>
#include <map>

#include "postern/core/draw.hpp"

namespace postern::cgm17 {
namespace {

/// Places by popularity: the k-th is chosen in proportion to 1 / (k + 2).
std::uint32_t popular_place(Rng& rng) {
  static const double most = std::log((kPlaces + 2.0) / 2.0);
  const double u = rng.uniform() * most;
  const auto k = static_cast<std::uint32_t>(2 * (std::exp(u) - 1));
  return 1 + std::min(k, kPlaces - 1);
}

/// The next state of one who is at a place.
std::uint32_t move(std::uint32_t place, std::uint32_t favourite, double stay, Rng& rng) {
  const double u = rng.uniform();
  if (u < stay) return place;
  const double v = (u - stay) / (1 - stay);
  if (v < 0.45) return 0;
  if (v < 0.55) return favourite;
  if (v < 0.65) return popular_place(rng);
  const double far = 1 + std::floor(draw_exponential(rng) * 2);
  const double to = rng.uniform() < 0.5 ? place - far : place + far;
  const double wrapped = std::fmod(to - 1 + 100.0 * kPlaces, kPlaces);
  return 1 + static_cast<std::uint32_t>(wrapped);
}

}  // namespace

Day simulate_day(Rng& rng) {
  Day day(kSlots, 0);
  const std::uint32_t favourite = popular_place(rng);
  const double stay = 0.5 + 0.45 * rng.uniform();
  const auto visits = static_cast<std::size_t>(std::min(24.0, std::floor(std::pow(rng.uniform(), -0.8))));
  for (std::size_t v = 0; v < visits; ++v) {
    auto slot = static_cast<std::size_t>(draw_below(kSlots, rng));
    std::uint32_t state = rng.uniform() < 0.6 ? favourite : popular_place(rng);
    for (; slot < kSlots && state != 0; ++slot) {
      day[slot] = state;
      state = move(state, favourite, stay, rng);
    }
  }
  return day;
}

Contribution contribution(const Day& day) {
  std::map<std::uint32_t, std::int64_t> counts;
  std::int64_t counted = 0;
  for (std::size_t t = 0; t + 1 < day.size(); ++t) {
    if ((t + 1) % kSegment == 0 || (day[t] == 0 && day[t + 1] == 0)) continue;
    ++counts[day[t] * kStates + day[t + 1]];
    ++counted;
  }
  constexpr std::int64_t grid = std::int64_t{1} << 20;
  Contribution out;
  for (const auto& [cell, count] : counts)
    out.emplace_back(cell, static_cast<double>(grid * count / counted) / static_cast<double>(grid));
  return out;
}

}  // namespace postern::cgm17
