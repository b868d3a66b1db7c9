#include "privacy_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace postern::zhang16 {
namespace {

constexpr std::size_t kSteps = 4000;  // of Simpson's rule; even

double at(double omega, std::size_t i) { return omega + (1 - 2 * omega) * static_cast<double>(i) / kSteps; }

double simpson_weight(double omega, std::size_t i) {
  const double weight = i == 0 || i == kSteps ? 1 : (i % 2 == 1 ? 4 : 2);
  return weight * (1 - 2 * omega) / (3 * kSteps);
}

/// log of the integral of theta^p (1 - theta)^q over [omega, 1 - omega]; p, q >= 0.
double log_mass(double p, double q, double omega) {
  const double peak = p + q > 0 ? std::clamp(p / (p + q), omega, 1 - omega) : 0.5;
  const double top = p * std::log(peak) + q * std::log1p(-peak);
  double sum = 0;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    const double theta = at(omega, i);
    sum += simpson_weight(omega, i) * std::exp(p * std::log(theta) + q * std::log1p(-theta) - top);
  }
  return top + std::log(sum);
}

/// The coin's posterior density at the points of the rule.
std::vector<double> posterior_density(double ones, double zeros, double omega) {
  const double mass = log_mass(ones, zeros, omega);
  std::vector<double> out;
  for (std::size_t i = 0; i <= kSteps; ++i)
    out.push_back(std::exp(ones * std::log(at(omega, i)) + zeros * std::log1p(-at(omega, i)) - mass));
  return out;
}

/// Log-density of Algorithm 3's output there.
std::vector<double> algorithm_3_log_density(double ones, double zeros, double omega, double epsilon) {
  std::vector<double> out = posterior_density(ones, zeros, omega);
  const double sensitivity = std::sqrt(std::log((1 - omega) / omega));
  for (double& x : out) x *= epsilon / (2 * sensitivity);
  const double top = *std::max_element(out.begin(), out.end());
  double sum = 0;
  for (std::size_t i = 0; i <= kSteps; ++i) sum += simpson_weight(omega, i) * std::exp(out[i] - top);
  for (double& x : out) x -= top + std::log(sum);
  return out;
}

/// The largest log-ratio of a coin's two posterior densities. It is at the end of the box that the data speak
/// against.
struct RowLoss {
  double omega;
  double tempering;

  [[nodiscard]] double mass(double ones, double zeros) const {
    return log_mass(tempering * ones, tempering * zeros, omega);
  }
  /// A zero becomes a one. @pre zeros >= 1
  [[nodiscard]] double turns(double ones, double zeros) const {
    return tempering * std::log((1 - omega) / omega) - mass(ones + 1, zeros - 1) + mass(ones, zeros);
  }
  /// A one comes to nothing but zeros.
  [[nodiscard]] double gains(double zeros) const {
    return tempering * std::log1p(-omega) - mass(1, zeros) + mass(0, zeros);
  }
  /// A one goes, of nothing but ones.
  [[nodiscard]] double loses(double ones) const {
    return -tempering * std::log(omega) - mass(ones - 1, 0) + mass(ones, 0);
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

}  // namespace

double draw_loss(std::size_t features, std::size_t n, double omega, double tempering) {
  const RowLoss row{omega, tempering};
  const auto all = static_cast<double>(n);
  const auto count = static_cast<double>(features);
  // The class stays: every feature of a class that all records have turns.
  double worst = count * row.turns(0, all);
  // The class turns. Class 0's rows lose a value that all their records have, class 1's gain one that none
  // has; what remains to choose is how many records there are of each class.
  for (std::size_t zeros = 1; zeros <= n; ++zeros) {
    const auto from = static_cast<double>(zeros);
    const double rows = features == 0 ? 0 : count * (row.gains(all - from) + row.loses(from));
    worst = std::max(worst, row.turns(all - from, from) + rows);
  }
  return worst;
}

double algorithm_3_loss(std::size_t n, double omega, double epsilon) {
  double worst = 0;
  const auto all = static_cast<double>(n);
  for (std::size_t ones = 0; ones < n; ++ones) {
    const auto c = static_cast<double>(ones);
    worst = std::max(worst, largest_difference(algorithm_3_log_density(c, all - c, omega, epsilon),
                                               algorithm_3_log_density(c + 1, all - c - 1, omega, epsilon)));
  }
  return worst;
}

double density_sensitivity(std::size_t n, double omega) {
  const auto all = static_cast<double>(n);
  return largest_difference(posterior_density(0, all, omega), posterior_density(1, all - 1, omega));
}

}  // namespace postern::zhang16
