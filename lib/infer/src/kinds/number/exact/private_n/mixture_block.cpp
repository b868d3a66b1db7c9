#include "mixture_block.hpp"

#include <cmath>
#include <numbers>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kMostTerms = 4e5;  ///< numbers x frequencies
constexpr double kVanished = -52;

}  // namespace

MixtureBlock::MixtureBlock(const RecordNodes& nodes, const TiltedRecord& tilted, const CountWeight& weight,
                           const SumNoise& noise, double lo, double hi, double near, double nats)
    : lo_(lo),
      hi_(hi),
      near_(near),
      mean_(tilted.mean),
      characteristic_(nodes, tilted, lo, hi, noise, nats),
      usable_(characteristic_.usable()) {
  if (!usable_) return;
  const std::size_t count = characteristic_.log_size().size();
  numbers_.emplace(weight.noise(), -(tilted.cumulant() + weight.slope()), near, lo, hi);
  const PowerSeries series(*numbers_);
  usable_ = series.listed() * static_cast<double>(count) <= kMostTerms;
  if (!usable_) return;
  const double s0 = near * mean_;
  const double lowest = std::min(lo * mean_, hi * mean_) - characteristic_.widest().down;
  const double highest = std::max(lo * mean_, hi * mean_) + characteristic_.widest().up;
  const TiltedNoise g(noise, tilted.lambda, s0, std::ceil(lowest - 1), std::floor(highest + 1));
  spectrum_ = {std::vector<double>(count), std::vector<double>(count)};
  transform_noise(g, characteristic_.period(), std::sqrt(lo * tilted.variance), spectrum_);
  for (std::size_t j = 1; j < count; ++j) {
    if (2 * static_cast<double>(j) == characteristic_.period()) continue;
    spectrum_.re[j] *= 2;
    spectrum_.im[j] *= 2;
  }
  log_scale_ = g.log_peak() + numbers_->log_peak() + near * (weight.slope() + tilted.log_mass) -
               weight.log_norm() - std::log(characteristic_.period());
  add_up(series);
}

ComplexPower MixtureBlock::power(std::size_t j) const {
  const double u = 2 * std::numbers::pi * static_cast<double>(j) / characteristic_.period();
  return {characteristic_.log_size()[j], characteristic_.angle()[j], u * mean_, near_};
}

void MixtureBlock::add_up(const PowerSeries& series) {
  double sum = 0;
  double sizes = 0;
  for (std::size_t j = 0; j < spectrum_.re.size(); ++j) {
    if (lo_ * characteristic_.log_size()[j] < kVanished) continue;
    const std::complex<double> w = series.sum(power(j));
    const double real = spectrum_.re[j] * w.real();
    const double rest = spectrum_.im[j] * w.imag();
    sum += real - rest;
    sizes += std::abs(real) + std::abs(rest);
  }
  log_sum_ = sum > 0 ? log_scale_ + std::log(sum) : kMinusInfinity;
  log_sizes_ = log_scale_ + std::log(sizes);
}

void MixtureBlock::log_terms(double from, double step, std::span<double> out) const {
  std::vector<double> sum(out.size(), 0.0);
  for (std::size_t j = 0; j < spectrum_.re.size(); ++j) {
    if (lo_ * characteristic_.log_size()[j] < kVanished) continue;
    const ComplexPower here = power(j);
    const std::complex<double> first = here.at(from);
    const std::complex<double> turn =
        std::polar(std::exp(step * here.log_size), step * (here.angle + here.turn));
    double re = spectrum_.re[j] * first.real() - spectrum_.im[j] * first.imag();
    double im = spectrum_.re[j] * first.imag() + spectrum_.im[j] * first.real();
    for (double& total : sum) {
      total += re;
      const double next = re * turn.real() - im * turn.imag();
      im = re * turn.imag() + im * turn.real();
      re = next;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double n = from + step * static_cast<double>(i);
    out[i] = sum[i] > 0 ? log_scale_ + numbers_->log_at(n) + std::log(sum[i]) : kMinusInfinity;
  }
}

}  // namespace postern::infer
