#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "postern/core/draw.hpp"

namespace postern::bs18 {

inline double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Bootstrap standard error of a measure of these values.
template <class Measure>
double standard_error(const std::vector<double>& values, const Measure& measure) {
  constexpr std::size_t kResamples = 100;
  Rng rng(20261117, 0, Purpose::simulation);
  std::vector<double> again(values.size());
  std::vector<double> found;
  for (std::size_t r = 0; r < kResamples; ++r) {
    for (double& x : again) x = values[draw_below(values.size(), rng)];
    found.push_back(measure(again));
  }
  const double centre = mean(found);
  double square = 0;
  for (const double x : found) square += (x - centre) * (x - centre) / (kResamples - 1);
  return std::sqrt(square);
}

}  // namespace postern::bs18
