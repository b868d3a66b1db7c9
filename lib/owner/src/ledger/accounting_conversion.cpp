#include <cmath>

#include "postern/core/error.hpp"
#include "postern/owner/accounting.hpp"

#include "directed.hpp"

// rho-zCDP -> (epsilon, delta)-DP. Any alpha > 1 gives a valid pair (Canonne, Kamath, Steinke 2020, Prop.
// 12), so alpha is searched in double and the bound is then evaluated once, exactly, with directed rounding.
//   u = alpha - 1,  h(u) = (1 + u) ln(1 + 1/u) + ln u
//   ln delta = u ((1 + u) rho - epsilon) - h(u)     epsilon = (1 + u) rho - (ln delta + h(u)) / u
namespace postern::owner {
namespace {

constexpr double kLogLeast = -45;  // ln u runs from here ...
constexpr double kLogMost = 80;    // ... to here
constexpr long kLeastLog = -4096;  // ln delta is not followed further down

void check(const Rational& rho, const Rational& other, bool other_fits) {
  if (sgn(rho) < 0 || !other_fits || sgn(other) < 0) {
    throw Error(ErrorCode::bad_value, {"rho, epsilon and delta are not negative, and delta is not zero"});
  }
}

double log_double(const Rational& x) {
  long top = 0;
  long bottom = 0;
  const double numerator = mpz_get_d_2exp(&top, x.get_num_mpz_t());
  const double denominator = mpz_get_d_2exp(&bottom, x.get_den_mpz_t());
  return std::log(numerator / denominator) + static_cast<double>(top - bottom) * std::log(2.0);
}

/// The alpha of least delta: d/du ln delta = (1 + 2u) rho - epsilon - ln(1 + 1/u) increases in u.
double best_for_epsilon(double rho, double epsilon) {
  double low = kLogLeast;
  double high = kLogMost;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const double u = std::exp(middle);
    const bool rising = (1 + 2 * u) * rho - epsilon - std::log1p(1 / u) > 0;
    (rising ? high : low) = middle;
  }
  return std::exp(low);
}

/// The alpha of least epsilon. {u : epsilon(u) <= c} is where a convex function is below ln delta, hence an
/// interval: golden section finds the minimum.
double best_for_delta(double rho, double log_delta) {
  const auto epsilon = [&](double log_u) {
    const double u = std::exp(log_u);
    return (1 + u) * rho - (log_delta + log_u + (1 + u) * std::log1p(1 / u)) / u;
  };
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = kLogLeast;
  double high = kLogMost;
  for (int i = 0; i < 120; ++i) {
    const double left = high - ratio * (high - low);
    const double right = low + ratio * (high - low);
    (epsilon(left) < epsilon(right) ? high : low) = epsilon(left) < epsilon(right) ? right : left;
  }
  return std::exp((low + high) / 2);
}

/// At most h(u).
Rational h_below(const Rational& u) { return (1 + u) * log_below(1 + 1 / u) + log_below(u); }

/// Up, to at least eleven significant digits.
Rational round_up(const Rational& x) {
  const long digits = 13 - static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 10)) +
                      static_cast<long>(mpz_sizeinbase(x.get_den_mpz_t(), 10));
  Integer scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(digits > 0 ? digits : 0));
  Rational rounded(ceil(x * scale), scale);
  rounded.canonicalize();
  return rounded;
}

}  // namespace

Rational delta_of_rho(const Rational& rho, const Rational& epsilon) {
  check(rho, epsilon, true);
  if (sgn(rho) == 0) return 0;
  const Rational u(best_for_epsilon(rho.get_d(), epsilon.get_d()));
  const Rational log_delta = u * ((1 + u) * rho - epsilon) - h_below(u);  // rounded up
  if (sgn(log_delta) >= 0) return 1;
  return round_up(exp_minus_above(log_delta < kLeastLog ? Rational(-kLeastLog) : Rational(-log_delta)));
}

Rational epsilon_of_rho(const Rational& rho, const Rational& delta) {
  check(rho, delta, sgn(delta) > 0);
  if (sgn(rho) == 0 || delta >= 1) return 0;
  const Rational u(best_for_delta(rho.get_d(), log_double(delta)));
  const Rational epsilon = (1 + u) * rho - (log_below(delta) + h_below(u)) / u;
  return sgn(epsilon) <= 0 ? Rational(0) : Spend::ceil(Currency::pure, epsilon).exact();
}

}  // namespace postern::owner
