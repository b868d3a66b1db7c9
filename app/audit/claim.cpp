#include "audit/claim.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

namespace postern::app {
namespace {

/// P(change * noise = k), as a vector whose middle is k = 0.
std::vector<double> scaled_pmf(const LatticeShift& shift) {
  const auto step = static_cast<std::size_t>(std::abs(shift.change));
  const auto reach = static_cast<std::size_t>(std::ceil(release::radius(shift.law, 60))) + 1;
  std::vector<double> pmf(2 * reach * step + 1, 0.0);
  for (std::size_t i = 0; i <= 2 * reach; ++i) {
    pmf[i * step] =
        std::exp(release::log_pmf(shift.law, static_cast<double>(i) - static_cast<double>(reach)));
  }
  return pmf;
}

/// Largest mu over thresholds, when the projected value moves by `jump` between the neighbours.
double largest_mu(const std::vector<double>& pmf, std::size_t jump) {
  constexpr double kUnseen = 1e-9;  // no affordable number of runs sees rarer events
  std::vector<double> tail(pmf.size() + 1, 0.0);
  for (std::size_t i = pmf.size(); i-- > 0;) tail[i] = tail[i + 1] + std::max(0.0, pmf[i]);
  double most = 0;
  for (std::size_t i = 0; i + jump < pmf.size(); ++i) {
    const double missed = 1 - tail[i];
    const double alarm = tail[i + jump];
    if (alarm < kUnseen || missed < kUnseen) continue;
    most = std::max(most, normal_quantile(1 - alarm) - normal_quantile(missed));
  }
  return most;
}

}  // namespace

double lattice_excess(std::span<const LatticeShift> shifts) {
  constexpr double kWide = 1e4;  // so wide a lattice is a continuum: 1 + 1e-6
  std::vector<double> pmf{1.0};
  double squared = 0;
  double distance = 0;
  for (const LatticeShift& shift : shifts) {
    const auto* gaussian = std::get_if<release::DiscreteGaussian>(&shift.law);
    if (gaussian == nullptr || gaussian->sigma2() > kWide) return 1;
    if (shift.change == 0) continue;
    const auto change = static_cast<double>(shift.change);
    pmf = convolve(pmf, scaled_pmf(shift));
    squared += change * change / gaussian->sigma2();
    distance += change * change;
  }
  if (squared == 0) return 1;
  return std::max(1.0, largest_mu(pmf, static_cast<std::size_t>(distance)) / std::sqrt(squared));
}

std::size_t recommended_runs(const Spend& cost) {
  const double amount = cost.exact().get_d();
  const double half =
      1.4 * (cost.currency() == Currency::pure ? 350 / (amount * amount) : 550 / (2 * amount));
  return static_cast<std::size_t>(std::clamp(2 * half, 4000.0, 1e9));
}

}  // namespace postern::app
