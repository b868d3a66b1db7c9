#include "postern/assess/mmd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

namespace postern::assess {
namespace {

/// Points are met in tiles of this many, whose coordinates stay in the first cache while all points of
/// another tile pass by. Part of the answer's last bits: sums are taken tile by tile.
constexpr std::size_t kTile = 64;

std::size_t count_of(const Points& points) {
  if (points.dimension == 0 || points.values.size() % points.dimension != 0)
    throw Error(ErrorCode::usage, {"points need a whole number of coordinates each"});
  if (!std::all_of(points.values.begin(), points.values.end(), [](double x) { return std::isfinite(x); }))
    throw Error(ErrorCode::usage, {"points need finite coordinates"});
  return points.values.size() / points.dimension;
}

/// All first coordinates, then all second ones: the inner loop then runs over neighbours in memory.
std::vector<double> by_coordinate(const Points& points) {
  const std::size_t count = points.values.size() / points.dimension;
  std::vector<double> out(points.values.size());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < points.dimension; ++c)
      out[c * count + i] = points.values[i * points.dimension + c];
  return out;
}

class PairSums {
 public:
  PairSums(const Points& p, const Points& q)
      : p_(by_coordinate(p)), q_(by_coordinate(q)), dimension_(p.dimension), count_(p_.size() / dimension_) {}

  [[nodiscard]] std::size_t tiles() const { return (count_ + kTile - 1) / kTile; }

  /// Over all pairs i < j with i in this tile.
  [[nodiscard]] double from_tile(std::size_t tile) const {
    double sum = 0;
    for (std::size_t other = tile; other < tiles(); ++other) {
      double part = 0;
      for (std::size_t i = tile * kTile; i < end(tile); ++i)
        part += from_point(i, std::max(i + 1, other * kTile), end(other));
      sum += part;
    }
    return sum;
  }

 private:
  /// Squared distances between point i and the points of a tile, within and across the samples.
  struct Squares {
    std::array<double, kTile> pp{}, qq{}, pq{}, qp{};
  };

  [[nodiscard]] std::size_t end(std::size_t tile) const { return std::min((tile + 1) * kTile, count_); }

  /// Over pairs (i, j), first <= j < last, all in one tile.
  [[nodiscard]] double from_point(std::size_t i, std::size_t first, std::size_t last) const {
    Squares squares;
    for (std::size_t c = 0; c < dimension_; ++c) add_coordinate(c, i, first, last, squares);
    const auto kernel = [](double square) { return std::exp(-square / 2); };
    double sum = 0;
    // Grouped so that exchanging the samples, or giving one twice, meets the same roundings.
    for (std::size_t k = 0; first + k < last; ++k)
      sum +=
          (kernel(squares.pp[k]) + kernel(squares.qq[k])) - (kernel(squares.pq[k]) + kernel(squares.qp[k]));
    return sum;
  }

  void add_coordinate(std::size_t c, std::size_t i, std::size_t first, std::size_t last, Squares& to) const {
    const double* const p = p_.data() + c * count_;
    const double* const q = q_.data() + c * count_;
    double* const pp = to.pp.data();
    double* const qq = to.qq.data();
    double* const pq = to.pq.data();
    double* const qp = to.qp.data();
    const double here_p = p[i];
    const double here_q = q[i];
    for (std::size_t j = first; j < last; ++j) {
      const std::size_t k = j - first;
      pp[k] += (here_p - p[j]) * (here_p - p[j]);
      qq[k] += (here_q - q[j]) * (here_q - q[j]);
      pq[k] += (here_p - q[j]) * (here_p - q[j]);
      qp[k] += (here_q - p[j]) * (here_q - p[j]);
    }
  }

  std::vector<double> p_;
  std::vector<double> q_;
  std::size_t dimension_;
  std::size_t count_;
};

}  // namespace

double Mmd::distance() const { return std::sqrt(std::max(squared, 0.0)); }

Mmd mmd(const Points& p, const Points& q, int threads) {
  const std::size_t count = count_of(p);
  if (p.dimension != q.dimension || count_of(q) != count)
    throw Error(ErrorCode::usage, {"a discrepancy compares samples of one size and dimension"});
  if (count < 2) throw Error(ErrorCode::usage, {"a discrepancy needs at least two points of each law"});
  const PairSums pairs(p, q);
  std::vector<double> sums(pairs.tiles());
  parallel_for(sums.size(), threads, [&](std::size_t tile) { sums[tile] = pairs.from_tile(tile); });
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  const auto m = static_cast<double>(count);
  return {2 * sum / (m * (m - 1))};
}

}  // namespace postern::assess
