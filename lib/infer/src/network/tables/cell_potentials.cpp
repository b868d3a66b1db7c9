#include "cell_potentials.hpp"

#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/noise/band_likelihood.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostTabulated = std::size_t{1} << 23;  ///< doubles in all
constexpr std::size_t kMostOfOne = std::size_t{1} << 17;      ///< counts of one profile
constexpr double kBandDepth = 45;                             ///< nats that the message of a band goes down

/// A band as a message: counted out where it bends, straight beyond.
CountMessage band_message(const BandLikelihood& band, std::int64_t most) {
  const Band reach = band.reach(kBandDepth);
  const auto last = static_cast<double>(most);
  const double low = std::clamp(std::floor(reach.low), 0.0, last);
  const double high = std::clamp(std::ceil(reach.high), low, last);
  if (high - low > static_cast<double>(kMostTabulated)) {
    throw Error(ErrorCode::engine_limit,
                {"a value that was rounded, clipped or held back leaves more than 8 million counts possible; "
                 "the tables engine counts them out"});
  }
  CountMessage out;
  out.lo = static_cast<std::int64_t>(low);
  for (double count = low; count <= high; ++count) out.log_weight.push_back(band.log_at(count));
  out.fall_below = band.log_ratio(low, low - 1);
  out.fall_above = band.log_ratio(high, high + 1);
  return out;
}

}  // namespace

void CellPotentials::add_gamma(std::size_t cell, double shift, int power) {
  for (Term& term : terms_[cell]) {
    if (term.shift != shift) continue;
    term.power += power;
    return;
  }
  terms_[cell].push_back({shift, power});
}

void CellPotentials::add_noise(std::size_t cell, std::span<const NoisyValue> noisy_values, std::int64_t most,
                               std::int64_t least) {
  Cell& c = cells_[cell];
  double weighted = c.curvature * c.centre;
  for (const NoisyValue& noisy_value : noisy_values) {
    c.silent = false;
    const release::NoiseShape falls = release::shape(noisy_value.law);
    if (noisy_value.band) {
      add_message(cell, band_message(BandLikelihood(noisy_value.law, *noisy_value.band), most));
    } else if (falls.rate > 0) {
      // A kink outside of what is possible is moved to its end: that changes a constant only.
      const Kink kink{std::clamp(noisy_value.y, static_cast<double>(least), static_cast<double>(most)),
                      falls.rate};
      if (c.rate == 0) {
        c.at = kink.at;
        c.rate = kink.rate;
        continue;
      }
      // A cell's further kinks lie together: noise of a cell is added in one call.
      if (c.more_count == 0) c.more_first = static_cast<std::uint32_t>(kinks_.size());
      kinks_.push_back(kink);
      ++c.more_count;
    } else {
      c.curvature += falls.precision;
      weighted += falls.precision * noisy_value.y;
    }
  }
  if (c.curvature > 0) c.centre = weighted / c.curvature;
}

void CellPotentials::add_message(std::size_t cell, const CountMessage& message) {
  Cell& c = cells_[cell];
  c.silent = false;
  auto sum = std::make_unique<CountMessage>(message);
  if (c.message != nullptr) {
    const auto end = [](const CountMessage& m) {
      return m.lo + static_cast<std::int64_t>(m.log_weight.size());
    };
    const std::int64_t lo = std::min(message.lo, c.message->lo);
    const std::int64_t hi = std::max(end(message), end(*c.message));
    sum->lo = lo;
    sum->log_weight.clear();
    for (std::int64_t n = lo; n < hi; ++n) sum->log_weight.push_back(message.at(n) + c.message->at(n));
    sum->fall_below = message.fall_below + c.message->fall_below;
    sum->fall_above = message.fall_above + c.message->fall_above;
  }
  c.message = sum.get();
  messages_[cell] = std::move(sum);
}

void CellPotentials::finish(std::int64_t most) {
  std::map<Profile, std::uint32_t> known;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    Profile& profile = terms_[cell];
    std::erase_if(profile, [](const Term& term) { return term.power == 0; });
    std::sort(profile.begin(), profile.end());
    const auto [place, fresh] = known.try_emplace(profile, static_cast<std::uint32_t>(profiles_.size()));
    if (fresh) profiles_.push_back(profile);
    cells_[cell].profile = place->second;
  }
  const std::size_t each = std::min(kMostOfOne, kMostTabulated / std::max<std::size_t>(profiles_.size(), 1));
  tabulated_ = std::min(most + 1, static_cast<std::int64_t>(each));
  const auto length = static_cast<std::size_t>(tabulated_);
  table_.resize(profiles_.size() * length);
  for (std::size_t p = 0; p < profiles_.size(); ++p) {
    long double sum = 0;
    for (std::size_t c = 0; c < length; ++c) {
      table_[p * length + c] = static_cast<double>(sum);
      for (const Term& term : profiles_[p])
        sum += term.power * std::log(static_cast<long double>(term.shift) + static_cast<long double>(c));
    }
  }
  for (Cell& cell : cells_)
    cell.table = profiles_[cell.profile].empty() ? nullptr : table_.data() + cell.profile * length;
  terms_.clear();
  terms_.shrink_to_fit();
}

double CellPotentials::far_gamma_ratio(const Profile& profile, std::int64_t from, std::int64_t to) {
  double sum = 0;
  for (const Term& term : profile)
    sum += term.power * log_rising(term.shift + static_cast<double>(from),
                                   static_cast<double>(to) - static_cast<double>(from));
  return sum;
}

double CellPotentials::more_ratio(const Cell& cell, double from, double to) const {
  double sum = 0;
  for (std::uint32_t k = cell.more_first; k < cell.more_first + cell.more_count; ++k)
    sum += kinks_[k].rate * (std::abs(kinks_[k].at - from) - std::abs(kinks_[k].at - to));
  return sum;
}

void CellPotentials::add_to(LineWindow& window, std::size_t cell, std::int64_t count, int sign) const {
  for (const Term& term : profiles_[cells_[cell].profile])
    window.gamma(term.shift, term.power, static_cast<double>(count), sign);
  add_noise_to(window, cell, count, sign);
}

void CellPotentials::add_noise_to(LineWindow& window, std::size_t cell, std::int64_t count,
                                  std::int64_t step) const {
  const Cell& c = cells_[cell];
  if (c.silent) return;
  const auto from = static_cast<double>(count);
  const auto by = static_cast<double>(step);
  if (c.curvature > 0) window.gaussian(c.curvature, c.centre, from, by);
  if (c.rate > 0) window.kink(c.at, c.rate, from, by);
  for (std::uint32_t k = c.more_first; k < c.more_first + c.more_count; ++k)
    window.kink(kinks_[k].at, kinks_[k].rate, from, by);
  if (c.message == nullptr) return;
  window.factor([&](std::int64_t m) {
    return c.message->at(count + step * (m + 1)) - c.message->at(count + step * m);
  });
}

double CellPotentials::noise_precision(std::size_t cell) const {
  const Cell& c = cells_[cell];
  return c.curvature + 0.5 * c.rate * c.rate;
}

}  // namespace postern::infer
