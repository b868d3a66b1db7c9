#include "postern/core/fft.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "postern/core/error.hpp"

#include "fft_kernel.hpp"
#include "fft_tables.hpp"

// Our own transform because Debian's kissfft is built for float only, and FFTW and GSL are under the GPL.

namespace postern {
namespace {

using fft::Halves;
using fft::Level;
using fft::Root;

constexpr std::size_t kSmallest = 2 * fft::kLeaf;

struct Shape {
  int odd = 1;        ///< 1, 3 or 5
  std::size_t m = 0;  ///< size / (2 odd), a power of two
};

Shape shape_of(std::size_t size) {
  const auto odd = size >> std::countr_zero(size);
  return {static_cast<int>(odd), size / 2 / odd};
}

}  // namespace

struct RealFft::Plan {
  explicit Plan(std::size_t real_size) : size(real_size), shape(shape_of(real_size)) {
    const int log_m = std::countr_zero(shape.m);
    two_first = log_m % 2 != 0;
    root = shape.odd % 4 == 3 ? Root::minus_i : Root::i;
    for (int log_count = two_first ? 1 : 0; log_count < log_m; log_count += 2) {
      levels.push_back(fft::level_twiddles(root, log_count));
    }
    if (shape.odd > 1) make_twist();
  }

  void make_twist() {
    const std::size_t m = shape.m;
    const auto radix = static_cast<std::size_t>(shape.odd);
    const std::size_t half = (radix - 1) / 2;
    twist_values.resize(half * 2 * m);
    twist.radix = shape.odd;
    for (std::size_t k = 0; k < half; ++k) {
      double* re = twist_values.data() + 2 * k * m;
      twist.twist[k] = {re, re + m};
      for (std::size_t j = 0; j < m; ++j) {
        const fft::Complex w = fft::unit_root(j * (k + 1), radix * m);
        re[j] = w.re;
        re[m + j] = w.im;
      }
    }
  }

  void forward(Halves z) const {
    if (shape.odd > 1) kernels.forward_odd(z, shape.m, twist);
    for (int k = 0; k < shape.odd; ++k, z = z + shape.m) {
      if (two_first) {
        kernels.forward2(z, shape.m, half_way());
        forward_node(z, shape.m / 2, 0, levels.data());
        forward_node(z + shape.m / 2, shape.m / 2, 1, levels.data());
      } else {
        forward_node(z, shape.m, 0, levels.data());
      }
    }
  }

  void inverse(Halves z) const {
    Halves part = z;
    for (int k = 0; k < shape.odd; ++k, part = part + shape.m) {
      if (two_first) {
        inverse_node(part, shape.m / 2, 0, levels.data());
        inverse_node(part + shape.m / 2, shape.m / 2, 1, levels.data());
        kernels.inverse2(part, shape.m, half_way());
      } else {
        inverse_node(part, shape.m, 0, levels.data());
      }
    }
    if (shape.odd > 1) kernels.inverse_odd(z, shape.m, twist);
  }

  /// Depth first, so that each part is finished while it is in cache.
  void forward_node(Halves z, std::size_t m, std::size_t place, const Level* level) const {
    if (m <= fft::kInCache) return kernels.forward_rest(z, m, place, level);
    kernels.forward4(z, m, {level->re[place], level->im[place]});
    for (std::size_t k = 0; k < 4; ++k) forward_node(z + k * (m / 4), m / 4, 4 * place + k, level + 1);
  }

  void inverse_node(Halves z, std::size_t m, std::size_t place, const Level* level) const {
    if (m <= fft::kInCache) return kernels.inverse_rest(z, m, place, level, 2 / static_cast<double>(size));
    for (std::size_t k = 0; k < 4; ++k) inverse_node(z + k * (m / 4), m / 4, 4 * place + k, level + 1);
    kernels.inverse4(z, m, {level->re[place], level->im[place]});
  }

  /// The square root of the starting node's right-hand side, i or -i.
  [[nodiscard]] fft::Complex half_way() const { return fft::unit_root(root == Root::i ? 1 : 3, 8); }

  std::size_t size;
  Shape shape;
  bool two_first = false;
  Root root = Root::i;
  std::vector<Level> levels;
  fft::OddTwist twist{};
  std::vector<double> twist_values;
  const fft::Kernels& kernels = fft::kernels();
};

std::size_t RealFft::good_size(std::size_t length) {
  std::size_t best = std::bit_ceil(std::max(length, kSmallest));
  for (const std::size_t odd : {3, 5}) {
    const std::size_t parts = (length + odd - 1) / odd;
    best = std::min(best, odd * std::bit_ceil(std::max(parts, kSmallest)));
  }
  return best;
}

RealFft::RealFft(std::size_t size) {
  if (size == 0 || good_size(size) != size) throw Error(ErrorCode::internal, {"no transform of this size"});
  static std::mutex guard;
  static std::map<std::size_t, std::shared_ptr<const Plan>> plans;
  const std::lock_guard lock(guard);
  auto& plan = plans[size];
  if (!plan) plan = std::make_shared<const Plan>(size);
  plan_ = plan;
}

std::size_t RealFft::size() const { return plan_->size; }

void RealFft::forward(std::span<double> x) const {
  assert(x.size() == size());
  plan_->forward({x.data(), x.data() + size() / 2});
}

void RealFft::inverse(std::span<double> x) const {
  assert(x.size() == size());
  plan_->inverse({x.data(), x.data() + size() / 2});
}

void RealFft::multiply(std::span<double> a, std::span<const double> b) const {
  assert(a.size() == size() && b.size() == size());
  const std::size_t half = size() / 2;
  plan_->kernels.multiply({a.data(), a.data() + half}, b.data(), b.data() + half, half);
}

void RealFft::correlate(std::span<double> a, std::span<const double> b) const {
  assert(a.size() == size() && b.size() == size());
  const std::size_t half = size() / 2;
  plan_->kernels.multiply_conjugate({a.data(), a.data() + half}, b.data(), b.data() + half, half);
}

void RealFft::raise(std::span<double> a, std::size_t n) const {
  assert(a.size() == size() && n >= 1);
  const std::size_t half = size() / 2;
  plan_->kernels.raise({a.data(), a.data() + half}, half, n);
}

double norm(std::span<const double> x) {
  // In lanes: one sum would wait for itself at every step.
  std::array<double, 8> lanes{};
  std::size_t i = 0;
  for (; i + lanes.size() <= x.size(); i += lanes.size()) {
    for (std::size_t j = 0; j < lanes.size(); ++j) lanes[j] += x[i + j] * x[i + j];
  }
  for (; i < x.size(); ++i) lanes[0] += x[i] * x[i];
  return std::sqrt(std::accumulate(lanes.begin(), lanes.end(), 0.0));
}

void RealFft::multiply_powers(std::span<const double> a, std::span<const double> b, std::size_t first,
                              std::span<double> out) const {
  assert(a.size() == size() && b.size() == size() && first >= 1);
  const std::size_t half = size() / 2;
  std::vector<double> lane(4 * out.size(), 0.0);
  plan_->kernels.multiply_powers({a.data(), a.data() + half}, {b.data(), b.data() + half}, half, first,
                                 lane.data(), out.size());
  const double* part = lane.data();
  for (double& sum : out) {
    sum = (part[0] + part[1] + part[2] + part[3]) / static_cast<double>(half);
    part += 4;
  }
}

}  // namespace postern
