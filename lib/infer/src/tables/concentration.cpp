#include "tables/concentration.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kLeast = 0.1;  ///< records
constexpr int kDecades = 5;
constexpr int kPerDecadeFine = 8;

/// log Gamma(x + count) / Gamma(x), in one step for small x, to about 1e-9: it is what A is drawn by.
double log_urn(double x, double count) {
  constexpr double kSmall = 13;
  return x < kSmall && count > 8 ? log_gamma(x + count) - log_gamma(x) : log_rising(x, count);
}

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
  std::vector<double> weights(grid.size());
  double most = -INFINITY;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    double log = -log_urn(grid[i], records);
    for (std::size_t v = 0; v < row.size(); ++v) {
      if (row[v] > 0) log += log_urn(grid[i] * centre[v], row[v]);
    }
    weights[i] = log;
    most = std::max(most, log);
  }
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - most);
  double left = rng.uniform() * sum;
  std::size_t i = 0;
  while (i + 1 < grid.size() && (left -= weights[i]) >= 0) ++i;
  return grid[i];
}

}  // namespace postern::infer
