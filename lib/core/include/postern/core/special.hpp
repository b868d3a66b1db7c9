#pragma once

#include <span>

namespace postern {

// Special functions in log space. std::lgamma is banned: it writes the global signgam.

inline constexpr double kMinusInfinity = -__builtin_huge_val();

[[nodiscard]] double log_gamma(double x);  ///< x > 0
/// log Gamma(x+s) - log Gamma(x), without cancellation for large x.
[[nodiscard]] double log_rising(double x, double s);
[[nodiscard]] double log_factorial(double n);
[[nodiscard]] double log_choose(double n, double k);
[[nodiscard]] double log_beta(double a, double b);
[[nodiscard]] double log_add_exp(double a, double b);
[[nodiscard]] double log_sum_exp(std::span<const double> x);
[[nodiscard]] double log1m_exp(double x);  ///< log(1 - e^x), x < 0
[[nodiscard]] double beta_log_density(double a, double b, double x);
/// Regularised incomplete beta I_x(a, b), its complement's accuracy kept by calling with (b, a, 1-x).
[[nodiscard]] double beta_cdf(double a, double b, double x);
[[nodiscard]] double beta_quantile(double a, double b, double p);
/// P(G < x) and P(G >= x) for a gamma variable of rate 1, each relatively accurate in its far tail.
[[nodiscard]] double gamma_cdf(double shape, double x);
[[nodiscard]] double gamma_tail(double shape, double x);
[[nodiscard]] double poisson_log_pmf(double k, double mean);  ///< relatively accurate, also for large k
[[nodiscard]] double normal_cdf(double x);
[[nodiscard]] double normal_quantile(double p);
[[nodiscard]] double chi_square_tail(double statistic, double degrees);  ///< P(X >= statistic)
[[nodiscard]] double kolmogorov_tail(double d, double n);  ///< P(D_n >= d), Stephens' correction
/// One-sided Clopper-Pearson limits for a count of `successes` in `trials`.
[[nodiscard]] double binomial_lower_limit(double successes, double trials, double alpha);
[[nodiscard]] double binomial_upper_limit(double successes, double trials, double alpha);

}  // namespace postern
