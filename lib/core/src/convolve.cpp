#include <algorithm>

#include "postern/core/fft.hpp"

namespace postern {
namespace {

std::vector<double> convolve_directly(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double weight = b[i];
    double* to = out.data() + i;
    for (std::size_t j = 0; j < a.size(); ++j) to[j] += weight * a[j];
  }
  return out;
}

std::vector<double> convolve_by_transform(std::span<const double> a, std::span<const double> b) {
  const std::size_t length = a.size() + b.size() - 1;
  const RealFft fft(RealFft::good_size(length));
  std::vector<double> x(fft.size());
  std::copy(a.begin(), a.end(), x.begin());
  fft.forward(x);
  if (a.data() == b.data() && a.size() == b.size()) {
    fft.multiply(x, x);
  } else {
    std::vector<double> y(fft.size());
    std::copy(b.begin(), b.end(), y.begin());
    fft.forward(y);
    fft.multiply(x, y);
  }
  fft.inverse(x);
  x.resize(length);
  return x;
}

}  // namespace

std::vector<double> convolve(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  if (a.size() < b.size()) std::swap(a, b);
  return b.size() < 40 ? convolve_directly(a, b) : convolve_by_transform(a, b);
}

}  // namespace postern
