#include "total_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr int kPlaces = 21;               ///< to begin with
constexpr double kReach = 5;              ///< deviations of a normal theta that they cover
constexpr std::size_t kMostPlaces = 160;  ///< from which on none are added
constexpr double kTolerance = 3e-5;       ///< of a feature, from one place
/// A cubic through places h apart misses by less than this share of what it would miss with one left out.
constexpr double kHalving = 1.0 / 8;
constexpr double kMostWeight = 2;  ///< of a place, else two are better than four
constexpr std::array<double, 7> kLevels{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/// Lagrange's weights of the value at z.
void lagrange(std::span<const double> places, double z, std::span<double> weight) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    weight[i] = 1;
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (j != i) weight[i] *= (z - places[j]) / (places[i] - places[j]);
    }
  }
}

/// The places around z and what each of them weighs. @pre z is among them
struct Around {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Of four; of two where the four lie so unevenly that a cubic would overshoot, as under a prior that spreads
/// theta over hundreds of powers of ten.
Around interpolate(std::span<const double> places, double z, std::array<double, 4>& weight) {
  const auto after =
      static_cast<std::size_t>(std::upper_bound(places.begin(), places.end(), z) - places.begin());
  Around out;
  for (const std::size_t wanted : {std::size_t{4}, std::size_t{2}}) {
    out.count = std::min(wanted, places.size());
    out.first = std::min(after < wanted / 2 ? 0 : after - wanted / 2, places.size() - out.count);
    const std::span<double> of(weight.data(), out.count);
    lagrange(places.subspan(out.first, out.count), z, of);
    if (std::all_of(of.begin(), of.end(), [](double w) { return std::abs(w) <= kMostWeight; })) break;
  }
  return out;
}

}  // namespace

TotalLaw::TotalLaw(const std::function<TotalTable(double z)>& table_at, const LineDensity& density,
                   std::int64_t most, int threads)
    : most_(most) {
  std::vector<double> places;
  for (int k = 0; k < kPlaces; ++k) {
    const double z = density.quantile(normal_cdf(kReach * (2.0 * k / (kPlaces - 1) - 1)));
    if (places.empty() || z > places.back()) places.push_back(z);
  }
  while (!places.empty()) {
    add(places, table_at, threads);
    share(density);
    places = place_.size() < kMostPlaces ? wanted() : std::vector<double>();
  }
}

void TotalLaw::add(const std::vector<double>& places, const std::function<TotalTable(double z)>& table_at,
                   int threads) {
  std::vector<TotalTable> tables(places.size());
  parallel_for(places.size(), threads, [&](std::size_t i) { tables[i] = table_at(places[i]); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto at = std::upper_bound(place_.begin(), place_.end(), places[i]) - place_.begin();
    place_.insert(place_.begin() + at, places[i]);
    table_.insert(table_.begin() + at, std::move(tables[i]));
  }
}

TotalLaw::Blend TotalLaw::blend(double z) const {
  Blend out;
  const Around around = interpolate(place_, std::clamp(z, place_.front(), place_.back()), out.weight);
  out.first = around.first;
  out.count = around.count;
  return out;
}

void TotalLaw::share(const LineDensity& density) {
  share_.assign(place_.size(), 0.0);
  mass_.assign(place_.size(), 0.0);
  density.each_point([&](double z, double mass) {
    const Blend at = blend(z);
    for (std::size_t i = 0; i < at.count; ++i) share_[at.first + i] += mass * at.weight[i];
    const auto after = std::upper_bound(place_.begin(), place_.end(), z) - place_.begin();
    mass_[static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0))] += mass;
  });
  // Exactly one whole: n may be a billion, and a mean is no place for a missing billionth.
  const double whole = std::accumulate(share_.begin(), share_.end(), 0.0);
  for (double& part : share_) part /= whole;
  mean_ = 0;
  double variance = 0;
  for (std::size_t i = 0; i < table_.size(); ++i) mean_ += share_[i] * table_[i].mean();
  mean_ = std::clamp(mean_, 0.0, static_cast<double>(most_));
  for (std::size_t i = 0; i < table_.size(); ++i) variance += share_[i] * table_[i].mean_square(mean_);
  sd_ = std::sqrt(std::max(variance, 0.0));
}

/// The middles beside places that their neighbours foretell badly, for the mass of theta that is there.
std::vector<double> TotalLaw::wanted() const {
  std::array<double, kLevels.size()> number{};
  for (std::size_t k = 0; k < kLevels.size(); ++k)
    number[k] = static_cast<double>(quantile(kLevels[k])) + 0.5;
  const double scale = std::max(sd_, 1e-6);
  std::vector<Features> seen(place_.size());
  for (std::size_t i = 0; i < place_.size(); ++i) {
    seen[i][0] = (table_[i].mean() - mean_) / scale;
    seen[i][1] = table_[i].mean_square(mean_) / (scale * scale);
    for (std::size_t k = 0; k < kLevels.size(); ++k) seen[i][2 + k] = table_[i].cdf(number[k]);
  }
  std::vector<double> out;
  const auto split = [&](std::size_t i) {
    const double middle = 0.5 * (place_[i] + place_[i + 1]);
    const bool room = middle > place_[i] && middle < place_[i + 1];
    if (room && (out.empty() || out.back() < middle)) out.push_back(middle);
  };
  for (std::size_t i = 1; i + 1 < place_.size(); ++i) {
    std::vector<double> others = place_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    std::array<double, 4> weight{};
    const Around around = interpolate(others, place_[i], weight);
    double worst = 0;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      double foretold = 0;
      for (std::size_t j = 0; j < around.count; ++j) {
        const std::size_t from = around.first + j;
        foretold += weight[j] * seen[from < i ? from : from + 1][f];
      }
      worst = std::max(worst, std::abs(foretold - seen[i][f]));
    }
    if ((mass_[i - 1] + mass_[i]) * worst * kHalving <= kTolerance) continue;
    split(i - 1);
    split(i);
  }
  return out;
}

double TotalLaw::cdf(double n) const {
  double below = 0;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (share_[i] != 0) below += share_[i] * table_[i].cdf(n + 0.5);
  }
  return below;
}

std::int64_t TotalLaw::quantile(double p) const {
  std::int64_t lo = 0;
  std::int64_t hi = most_;
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    const bool enough = cdf(static_cast<double>(middle)) >= p;
    (enough ? hi : lo) = enough ? middle : middle + 1;
  }
  return lo;
}

/// Where the blended distribution function reaches u, between what the tables around say.
std::int64_t TotalLaw::draw(double z, Rng& rng) const {
  const double u = rng.uniform();
  const Blend at = blend(z);
  std::int64_t lo = most_;
  std::int64_t hi = 0;
  for (std::size_t i = at.first; i < at.first + at.count; ++i) {
    const std::int64_t n = std::llround(table_[i].quantile(u));
    lo = std::min(lo, n);
    hi = std::max(hi, n);
  }
  lo = std::max<std::int64_t>(lo, 0);
  hi = std::min(hi, most_);
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    double below = 0;
    for (std::size_t i = 0; i < at.count; ++i)
      below += at.weight[i] * table_[at.first + i].cdf(static_cast<double>(middle) + 0.5);
    (below >= u ? hi : lo) = below >= u ? middle : middle + 1;
  }
  return lo;
}

}  // namespace postern::infer
