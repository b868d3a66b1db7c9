#include "postern/infer/network/grid_law.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace postern::infer {
namespace {

constexpr std::int64_t kTabulated = 128;  ///< records of both sides together
constexpr double kDepth = 45;             ///< nats below the best point that a double does not see

/// What a thread remembers, one entry a place; whoever comes later takes it.
struct Remembered {
  std::uint64_t law = 0;
  std::int64_t below = 0;
  std::int64_t above = 0;
  double value = 0;
};
constexpr std::size_t kRemembered = std::size_t{1} << 17;

Remembered& place_of(std::uint64_t law, std::int64_t below, std::int64_t above) {
  thread_local std::vector<Remembered> all(kRemembered);
  std::uint64_t key = law;
  for (const std::int64_t part : {below, above})
    key = (key ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15ULL ^ (key >> 29U);
  return all[(key >> 40U) % kRemembered];
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

GridLaw::GridLaw(std::vector<double> logs, std::vector<double> prior)
    : id_(next_id()), logs_(std::move(logs)), prior_(std::move(prior)) {}

double GridLaw::sum(std::int64_t below, std::int64_t above) const {
  const auto a = static_cast<double>(below);
  const auto b = static_cast<double>(above);
  double best = score(0, a, b);
  for (std::size_t g = 1; g < logs_.size(); ++g) best = std::max(best, score(g, a, b));
  double out = 0;
  for (std::size_t g = 0; g < logs_.size(); ++g) {
    const double gap = score(g, a, b) - best;
    if (gap > -kDepth) out += std::exp(gap);
  }
  return best + std::log(out);
}

double GridLaw::log_normaliser(std::int64_t below, std::int64_t above) const {
  if (below + above >= kTabulated) {
    Remembered& place = place_of(id_, below, above);
    if (place.law != id_ || place.below != below || place.above != above)
      place = {id_, below, above, sum(below, above)};
    return place.value;
  }
  std::call_once(tabulated_, [this] {
    table_.resize(kTabulated * kTabulated);
    for (std::int64_t a = 0; a < kTabulated; ++a) {
      for (std::int64_t b = 0; a + b < kTabulated; ++b)
        table_[static_cast<std::size_t>(a * kTabulated + b)] = sum(a, b);
    }
  });
  return table_[static_cast<std::size_t>(below * kTabulated + above)];
}

}  // namespace postern::infer
