#include "noisy_tables.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::zhang16 {
namespace {

double sign(std::size_t bit) { return bit == 0 ? 1 : -1; }

template <class Change>
void for_each_but_total(Coefficients& coefficients, const Change& change) {
  change(coefficients.label);
  for (double& x : coefficients.feature) change(x);
  for (double& x : coefficients.both) change(x);
}

/// The least of two times a class's cell and four times a feature's.
double least_scaled_cell(const Coefficients& c) {
  double least = c.total - std::abs(c.label);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) {
      const double row = c.total + sign(y) * c.label;
      least = std::min(least, row - std::abs(c.feature[i] + sign(y) * c.both[i]));
    }
  }
  return least;
}

}  // namespace

double draw_laplace(double scale, Rng& rng) {
  return scale * (draw_exponential(rng) - draw_exponential(rng));
}

double draw_discrete_laplace(double rate, Rng& rng) {
  return std::floor(draw_exponential(rng) / rate) - std::floor(draw_exponential(rng) / rate);
}

Tables add_laplace(Tables tables, double scale, Rng& rng) {
  for_each_cell(tables, [&](double& cell) { cell += draw_laplace(scale, rng); });
  return tables;
}

Tables add_discrete_laplace(Tables tables, double rate, Rng& rng) {
  for_each_cell(tables, [&](double& cell) { cell += draw_discrete_laplace(rate, rng); });
  return tables;
}

Tables clip(Tables tables, double most) {
  for_each_cell(tables, [most](double& cell) { cell = std::clamp(cell, 0.0, most); });
  return tables;
}

Coefficients transform(const Tables& tables) {
  Coefficients out;
  out.total = tables.label[0] + tables.label[1];
  out.label = tables.label[0] - tables.label[1];
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) {
      const double lead = tables.feature[i][y][0] - tables.feature[i][y][1];
      out.feature[i] += lead;
      out.both[i] += sign(y) * lead;
    }
  }
  return out;
}

Tables invert(const Coefficients& c) {
  Tables out;
  for (std::size_t y = 0; y < 2; ++y) {
    const double row = c.total + sign(y) * c.label;
    out.label[y] = row / 2;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      for (std::size_t x = 0; x < 2; ++x)
        out.feature[i][y][x] = (row + sign(x) * (c.feature[i] + sign(y) * c.both[i])) / 4;
    }
  }
  return out;
}

Coefficients add_laplace(Coefficients coefficients, double scale, Rng& rng) {
  coefficients.total += draw_laplace(scale, rng);
  for_each_but_total(coefficients, [&](double& x) { x += draw_laplace(scale, rng); });
  return coefficients;
}

Coefficients add_discrete_laplace(Coefficients coefficients, double rate, Rng& rng) {
  for_each_but_total(coefficients, [&](double& x) { x += draw_discrete_laplace(rate, rng); });
  return coefficients;
}

double least_increment(const Coefficients& coefficients) {
  return std::max(0.0, -least_scaled_cell(coefficients));
}

Coefficients shrink(Coefficients coefficients) {
  const double least = least_scaled_cell(coefficients);
  if (least >= 0) return coefficients;
  const double factor = coefficients.total / (coefficients.total - least);
  for_each_but_total(coefficients, [factor](double& x) { x *= factor; });
  return coefficients;
}

double stealth_increment(double share, std::size_t draws, Rng& rng) {
  std::vector<double> needed(draws);
  for (double& x : needed) x = least_increment(add_laplace(Coefficients{}, 1, rng));
  const auto place = needed.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(draws));
  std::nth_element(needed.begin(), place, needed.end());
  return *place;
}

}  // namespace postern::zhang16
