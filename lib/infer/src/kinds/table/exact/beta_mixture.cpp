#include "beta_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kNothing = 1e-20;  ///< a probability too small to count

/// Relative entropy of a coin of mean m from one of mean t.
double coin_divergence(double m, double t) {
  double sum = 0;
  if (m > 0) sum += m * std::log(m / t);
  if (m < 1) sum += (1 - m) * std::log((1 - m) / (1 - t));
  return sum;
}

/// I_t(a, b), at once where it is 0 or 1 to a double: I_t(a, b) is the chance of at least a successes in a +
/// b - 1 tosses, so Chernoff's bound e^{-(a+b-1) D} holds on its small side.
double beta_cdf_quickly(double a, double b, double t) {
  const double tosses = a + b - 1;
  if (a > 1 && b > 1) {
    const double share = a / tosses;
    const double other = (a - 1) / tosses;
    if (t < share && tosses * coin_divergence(share, t) > 45) return 0;
    if (t > other && tosses * coin_divergence(other, t) > 45) return 1;
  }
  return beta_cdf(a, b, t);
}

double b_of(const BetaRow& row, std::size_t i) {
  if (row.keeps == BetaRow::Keeps::b) return row.b;
  return row.b - static_cast<double>(i);
}

/// The sum over a row of weight times f(a / (a + b), b / (a + b), 1 / (a + b)).
template <class F>
double row_sum(const BetaRow& row, const F& f) {
  double sum = 0;
  const bool keeps_sum = row.keeps == BetaRow::Keeps::sum;
  double inverse = 1 / (row.a + row.b);
  for (std::size_t i = 0; i < row.weight.size(); ++i) {
    const double a = row.a + static_cast<double>(i);
    if (!keeps_sum) inverse = 1 / (a + row.b);
    sum += row.weight[i] * f(a * inverse, b_of(row, i) * inverse, inverse);
  }
  return sum;
}

}  // namespace

BetaMixture::BetaMixture(std::vector<BetaRow> rows) : rows_(std::move(rows)) {
  double whole = 0;
  for (const BetaRow& row : rows_) {
    for (const double w : row.weight) whole += w;
  }
  if (!(whole > 0) || !std::isfinite(whole)) {
    throw Error(ErrorCode::engine_limit, {"the weights of the exact posterior do not fit the range of a "
                                          "double: the released values contradict each "
                                          "other; look at the releases"});
  }
  const double scale = 1 / whole;
  for (BetaRow& row : rows_) {
    for (double& w : row.weight) w *= scale;
    mean_ += row_sum(row, [](double m, double, double) { return m; });
  }
  mean_ = std::min(mean_, 1.0);
  double variance = 0;
  for (const BetaRow& row : rows_) {
    variance += row_sum(row, [this](double m, double rest, double inverse) {
      return m * rest * inverse / (1 + inverse) + (m - mean_) * (m - mean_);
    });
  }
  sd_ = std::sqrt(std::max(variance, 0.0));
  for (BetaRow& row : rows_) {
    double sum = 0;
    for (double& w : row.weight) w = sum += w;
  }
}

std::size_t BetaMixture::size() const {
  std::size_t sum = 0;
  for (const BetaRow& row : rows_) sum += row.weight.size();
  return sum;
}

/// Along a row I_t falls by T_i = I_t(a_i, b_i) - I_t(a_{i+1}, b_{i+1}), which is a Beta density up to a
/// factor and follows a two-term recurrence (DLMF 8.17.18-21). With C the running sums of the weights,
///   sum_i w_i I_i = C_last I_last + sum_{i < last} T_i C_i,
/// and T is worth computing only near where it is largest.
void BetaMixture::add_row(const BetaRow& row, double t, Slope& out) {
  const std::size_t last = row.weight.size() - 1;
  const double a_last = row.a + static_cast<double>(last);
  const double b_last = b_of(row, last);
  if (b_last <= 0) return;  // the point 1
  out.cdf += row.weight[last] * beta_cdf_quickly(a_last, b_last, t);

  const bool keeps_sum = row.keeps == BetaRow::Keeps::sum;
  const double peak = keeps_sum ? t * (row.a + row.b) - 1 : (t * row.b - 1) / (1 - t);
  const auto start =
      static_cast<std::size_t>(std::clamp(std::round(peak - row.a), 0.0, static_cast<double>(last)));
  const double a = row.a + static_cast<double>(start);
  const double b = b_of(row, start);
  const double step_per_density = keeps_sum ? t : t * (1 - t);  // T_i = density_i * step_per_density / a_i
  const double first = std::exp(beta_log_density(a, b, t)) * step_per_density / a;
  const double odds = keeps_sum ? t / (1 - t) : t;
  // T_{i+1} / T_i
  const auto ratio = [&](std::size_t i) {
    const double above = row.a + static_cast<double>(i);
    return odds * (keeps_sum ? b_of(row, i) - 1 : above + row.b) / (above + 1);
  };
  const auto add = [&](std::size_t i, double step) {
    const double before = i == 0 ? 0 : row.weight[i - 1];
    if (i < last) out.cdf += step * row.weight[i];
    out.density += step * (row.a + static_cast<double>(i)) / step_per_density * (row.weight[i] - before);
  };
  double step = first;
  for (std::size_t i = start; step > kNothing; ++i) {
    add(i, step);
    if (i == last) break;
    step *= ratio(i);
  }
  step = first;
  for (std::size_t i = start; i > 0; --i) {
    step /= ratio(i - 1);
    if (!(step > kNothing)) break;
    add(i - 1, step);
  }
}

BetaMixture::Slope BetaMixture::slope(double theta) const {
  Slope out;
  for (const BetaRow& row : rows_) add_row(row, theta, out);
  return out;
}

double BetaMixture::cdf(double theta) const {
  if (!(theta > 0)) return 0;
  if (theta >= 1) return 1;
  return std::clamp(slope(theta).cdf, 0.0, 1.0);
}

double BetaMixture::quantile(double p) const {
  if (p <= 0) return 0;
  if (p >= 1 || mean_ >= 1) return 1;
  constexpr double kLeast = 1e-300;
  constexpr double kMost = 1 - 0x1p-53;
  double low = kLeast;
  double high = kMost;
  if (cdf(low) >= p) return 0;
  if (cdf(high) < p) return 1;
  double theta = std::clamp(mean_ + sd_ * normal_quantile(p), 0.5 * mean_, 0.5 * (1 + mean_));
  for (int i = 0; i < 200; ++i) {
    const Slope at = slope(theta);
    const double miss = p - at.cdf;
    (miss > 0 ? low : high) = theta;
    const double newton = theta + miss / at.density;
    if (std::abs(miss) <= 1e-15 || high - low <= 1e-15 * high) break;
    const bool inside = newton > low && newton < high;
    if (inside && std::abs(newton - theta) <= 1e-14 * theta) return newton;
    if (inside && i < 40) {
      theta = newton;
    } else {
      theta = high > 8 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    }
  }
  return theta;
}

}  // namespace postern::infer
