#include "tables/concentration.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr double kLeast = 0.1;  ///< records
constexpr int kDecades = 5;
constexpr int kPerDecadeFine = 8;

constexpr double kStirlingFrom = 8;  ///< four terms of the series are right to 1e-11 from here on
constexpr double kFew = 8;           ///< counts up to here are multiplied out
constexpr double kRange = 1e150;     ///< of a product; with one more count it is still a double

/// log Gamma(x) less log(2 pi) / 2, x >= kStirlingFrom.
double stirling(double x, double log_x) {
  const double r = 1 / x;
  const double s = r * r;
  return (x - 0.5) * log_x - x + r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s / 1680)));
}

/// For every A of a grid the logarithm of a product of Gamma(A q + c) / Gamma(A q), to about 1e-9: few
/// logarithms, since short products are gathered before one is taken.
class UrnWeights {
 public:
  explicit UrnWeights(std::span<const double> grid)
      : grid_(grid), logs_(grid.size()), products_(grid.size(), 1) {}

  void add(double share, double count) { count <= kFew ? add_few(share, count) : add_many(share, count); }
  /// Takes what was added since the last call away from all.
  [[nodiscard]] std::vector<double> take() {
    for (std::size_t i = 0; i < grid_.size(); ++i) fold(i);
    std::vector<double> out(grid_.size(), 0);
    out.swap(logs_);
    return out;
  }

 private:
  void fold(std::size_t i) {
    logs_[i] += std::log(products_[i]);
    products_[i] = 1;
  }
  void fold_if_far(std::size_t i) {
    if (products_[i] > kRange || products_[i] < 1 / kRange) fold(i);
  }
  void add_few(double share, double count) {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const double x = grid_[i] * share;
      for (double j = 0; j < count; ++j) products_[i] *= x + j;
      fold_if_far(i);
    }
  }
  void add_many(double share, double count) {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      double x = grid_[i] * share;
      const double end = x + count;
      for (; x < kStirlingFrom; ++x) products_[i] *= x;
      fold_if_far(i);
      logs_[i] += stirling(end, std::log(end)) - stirling(x, std::log(x));
    }
  }

  std::span<const double> grid_;
  std::vector<double> logs_;
  std::vector<double> products_;
};

}  // namespace

std::vector<double> concentration_grid(double scale) {
  std::vector<double> out;
  for (int i = 0; i < kDecades; ++i) {
    out.push_back(scale * kLeast * std::pow(10, i));
    out.push_back(3 * out.back());
  }
  out.push_back(scale * kLeast * std::pow(10, kDecades));
  return out;
}

std::vector<double> fine_concentration_grid(double scale) {
  std::vector<double> out;
  for (int i = 0; i <= kDecades * kPerDecadeFine; ++i)
    out.push_back(scale * kLeast * std::pow(10, static_cast<double>(i) / kPerDecadeFine));
  return out;
}

double draw_concentration(std::span<const double> row, std::span<const double> centre,
                          std::span<const double> grid, Rng& rng) {
  double records = 0;
  for (const double count : row) records += count;
  if (records < 2) return grid[draw_below(grid.size(), rng)];  // one record says nothing of A
  UrnWeights urns(grid);
  urns.add(1, records);
  const std::vector<double> of_row = urns.take();
  for (std::size_t v = 0; v < row.size(); ++v) {
    if (row[v] > 0) urns.add(centre[v], row[v]);
  }
  std::vector<double> weights = urns.take();
  double most = -INFINITY;
  for (std::size_t i = 0; i < grid.size(); ++i) most = std::max(most, weights[i] -= of_row[i]);
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - most);
  double left = rng.uniform() * sum;
  std::size_t i = 0;
  while (i + 1 < grid.size() && (left -= weights[i]) >= 0) ++i;
  return grid[i];
}

}  // namespace postern::infer
