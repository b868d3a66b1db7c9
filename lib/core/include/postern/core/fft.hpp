#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace postern {

/// Linear convolution of two real sequences, length a + b - 1. Direct for short inputs, otherwise by a real
/// FFT; the absolute error is about 1e-16 * max|a| * max|b| * sqrt(length), so callers tilt first (see
/// infer/exact).
[[nodiscard]] std::vector<double> convolve(std::span<const double> a, std::span<const double> b);

/// The square root of the sum of squares, which errors of transforms are measured by.
[[nodiscard]] double norm(std::span<const double> x);

/// Transforms of real sequences for convolution, in place, so that a spectrum can be kept and used again:
///
///   const RealFft fft(RealFft::good_size(a.size() + b.size() - 1));
///   fft.forward(a), fft.forward(b);      // each zero-padded to fft.size()
///   fft.multiply(a, b);                  // a := spectrum of the product
///   fft.inverse(a);                      // a := a * b
///
/// Products are *negacyclic*: modulo x^size + 1, what passes the end comes back at the start with its sign
/// changed. The order of a spectrum is our own business; only transforms of the same size share it. Cheap to
/// copy, safe to share between threads; the tables behind it are made once per size and kept.
class RealFft {
 public:
  /// The smallest supported size >= length: 2^a, 3*2^a or 5*2^a, at least 32 (7*2^a is slower than 8*2^a).
  [[nodiscard]] static std::size_t good_size(std::size_t length);
  /// @pre good_size(size) == size.
  explicit RealFft(std::size_t size);
  [[nodiscard]] std::size_t size() const;

  // @pre every span has size() elements.
  void forward(std::span<double> x) const;
  void inverse(std::span<double> x) const;  ///< of forward: scaled by 1/size
  /// a := spectrum of the convolution: after inverse, a[k] = sum over i + j = k of a[i] b[j].
  void multiply(std::span<double> a, std::span<const double> b) const;
  /// a := spectrum of the correlation: after inverse, a[k] = sum over i - j = k of a[i] b[j]; lag -k is at
  /// size - k, with its sign changed.
  void correlate(std::span<double> a, std::span<const double> b) const;

  /// a := spectrum of the n-fold convolution. @pre n >= 1
  void raise(std::span<double> a, std::size_t n) const;
  /// out[i] = sum over k of b[k] c[k], c being a convolved with itself, first + i times a in all, from the
  /// spectra of a and b. What |a|^first <= 1e-17 leaves of a point is left out. @pre first >= 1; a is a law,
  /// or no larger
  void multiply_powers(std::span<const double> a, std::span<const double> b, std::size_t first,
                       std::span<double> out) const;

  struct Plan;

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace postern
