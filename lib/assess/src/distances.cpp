#include "postern/assess/distances.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "postern/core/error.hpp"

namespace postern::assess {
namespace {

std::vector<double> sorted(std::span<const double> sample) {
  if (sample.empty()) throw Error(ErrorCode::usage, {"an empty sample has no distribution function"});
  if (std::any_of(sample.begin(), sample.end(), [](double x) { return std::isnan(x); }))
    throw Error(ErrorCode::usage, {"a sample with a NaN has no distribution function"});
  std::vector<double> out(sample.begin(), sample.end());
  std::sort(out.begin(), out.end());
  return out;
}

/// Moves `at` past all values equal to `value`.
void pass(const std::vector<double>& values, double value, std::size_t& at) {
  while (at < values.size() && values[at] == value) ++at;
}

}  // namespace

double ks_from_law(std::span<const double> sample, const std::function<double(double)>& cdf) {
  const std::vector<double> values = sorted(sample);
  const auto n = static_cast<double>(values.size());
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto rank = static_cast<double>(i);
    const double expected = cdf(values[i]);
    most = std::max({most, (rank + 1) / n - expected, expected - rank / n});
  }
  return most;
}

double ks_uniform(std::span<const double> sample) {
  return ks_from_law(sample, [](double x) { return std::clamp(x, 0.0, 1.0); });
}

double ks_between(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> left = sorted(a);
  const std::vector<double> right = sorted(b);
  const auto share = [](std::size_t count, const std::vector<double>& of) {
    return static_cast<double>(count) / static_cast<double>(of.size());
  };
  std::size_t i = 0;
  std::size_t j = 0;
  double most = 0;
  // Once one sample is used up the difference only shrinks.
  while (i < left.size() && j < right.size()) {
    const double value = std::min(left[i], right[j]);
    pass(left, value, i);
    pass(right, value, j);
    most = std::max(most, std::abs(share(i, left) - share(j, right)));
  }
  return most;
}

}  // namespace postern::assess
