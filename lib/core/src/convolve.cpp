#include <algorithm>

#include "postern/core/fft.hpp"

namespace postern {
namespace {

// Measured on one core: shorter than this the definition wins at every length of the other sequence, and a
// long sequence is best cut into pieces of about this many times the short one.
constexpr std::size_t kDirectBelow = 40;
constexpr std::size_t kPieceFactor = 6;

/// By the definition, four rows at a time to halve the traffic.
void add_direct(std::span<const double> a, std::span<const double> b, double* out) {
  std::size_t i = 0;
  for (; i + 4 <= b.size() && a.size() >= 4; i += 4) {
    const double w0 = b[i], w1 = b[i + 1], w2 = b[i + 2], w3 = b[i + 3];
    double* to = out + i;
    const double* from = a.data();
    to[0] += w0 * from[0];
    to[1] += w0 * from[1] + w1 * from[0];
    to[2] += w0 * from[2] + w1 * from[1] + w2 * from[0];
    for (std::size_t j = 3; j < a.size(); ++j) {
      to[j] += w0 * from[j] + w1 * from[j - 1] + w2 * from[j - 2] + w3 * from[j - 3];
    }
    const std::size_t n = a.size();
    to[n] += w1 * from[n - 1] + w2 * from[n - 2] + w3 * from[n - 3];
    to[n + 1] += w2 * from[n - 1] + w3 * from[n - 2];
    to[n + 2] += w3 * from[n - 1];
  }
  for (; i < b.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) out[i + j] += b[i] * a[j];
  }
}

/// a in pieces, each by one transform with the spectrum of b, summed where the results overlap.
void add_by_pieces(std::span<const double> a, std::span<const double> b, const RealFft& fft, double* out) {
  const std::size_t step = fft.size() - b.size() + 1;
  std::vector<double> spectrum(fft.size()), piece(fft.size());
  std::copy(b.begin(), b.end(), spectrum.begin());
  fft.forward(spectrum);
  for (std::size_t start = 0; start < a.size(); start += step) {
    const auto part = a.subspan(start, std::min(step, a.size() - start));
    std::fill(std::copy(part.begin(), part.end(), piece.begin()), piece.end(), 0.0);
    fft.forward(piece);
    fft.multiply(piece, spectrum);
    fft.inverse(piece);
    const std::size_t length = part.size() + b.size() - 1;
    for (std::size_t j = 0; j < length; ++j) out[start + j] += piece[j];
  }
}

}  // namespace

std::vector<double> convolve(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  if (a.size() < b.size()) std::swap(a, b);
  const std::size_t length = a.size() + b.size() - 1;
  std::vector<double> out(length);
  if (b.size() < kDirectBelow) {
    add_direct(a, b, out.data());
  } else {
    const std::size_t size = RealFft::good_size(std::min(length, kPieceFactor * b.size()));
    add_by_pieces(a, b, RealFft(size), out.data());
  }
  return out;
}

}  // namespace postern
