#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "number_laws.hpp"

// P(x <= v) of every family through its transform and its law, against the formula of the textbooks written
// out here.

namespace postern::model {
namespace {

using Cdf = std::function<double(double v, const Theta& theta)>;

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// P(X <= v) on the whole numbers from P(0) and P(x + 1) / P(x).
double add_up(double v, double first, const std::function<double(double)>& ratio) {
  double sum = 0;
  for (double x = 0, p = first; x <= v; p *= ratio(x), ++x) sum += p;
  return sum;
}

double binomial(double v, double trials, double p) {
  return add_up(v, std::pow(1 - p, trials), [=](double x) { return (trials - x) / (x + 1) * p / (1 - p); });
}
double negative_binomial(double v, double r, double p) {
  return add_up(v, std::pow(p, r), [=](double x) { return (r + x) / (x + 1) * (1 - p); });
}
double poisson(double v, double rate) {
  return add_up(v, std::exp(-rate), [=](double x) { return rate / (x + 1); });
}
double maxwell(double v, double a) {
  const double z = v / a;
  return std::erf(z / std::numbers::sqrt2) - std::sqrt(2 / std::numbers::pi) * z * std::exp(-z * z / 2);
}
/// Shape 3/2 at rate theta is the law of a squared Maxwell length.
double gamma_three_halves(double v, double rate) { return maxwell(std::sqrt(v), 1 / std::sqrt(2 * rate)); }

// Known parameters are those of number_model with the range 2..9: trials 9, minimum 2, all others 3/2.
const std::map<std::string_view, Cdf>& textbook() {
  static const std::map<std::string_view, Cdf> cdfs{
      {"binomial", [](double v, const Theta& t) { return binomial(v, 9, t[0]); }},
      {"poisson", [](double v, const Theta& t) { return poisson(v, t[0]); }},
      {"geometric", [](double v, const Theta& t) { return 1 - std::pow(1 - t[0], std::floor(v) + 1); }},
      {"negative-binomial", [](double v, const Theta& t) { return negative_binomial(v, 1.5, t[0]); }},
      {"exponential", [](double v, const Theta& t) { return 1 - std::exp(-t[0] * v); }},
      {"gamma", [](double v, const Theta& t) { return gamma_three_halves(v, t[0]); }},
      {"normal-mean", [](double v, const Theta& t) { return normal_below((v - t[0]) / std::sqrt(1.5)); }},
      {"normal", [](double v, const Theta& t) { return normal_below((v - t[0]) / std::sqrt(t[1])); }},
      {"pareto", [](double v, const Theta& t) { return v < 2 ? 0 : 1 - std::pow(2 / v, t[0]); }},
      {"weibull", [](double v, const Theta& t) { return 1 - std::exp(-t[0] * std::pow(v, 1.5)); }},
      {"rayleigh", [](double v, const Theta& t) { return 1 - std::exp(-v * v * t[0]); }},
      {"half-normal", [](double v, const Theta& t) { return std::erf(v * std::sqrt(t[0])); }},
      {"maxwell", [](double v, const Theta& t) { return maxwell(v, 1 / std::sqrt(2 * t[0])); }},
      {"log-normal",
       [](double v, const Theta& t) { return normal_below((std::log(v) - t[0]) / std::sqrt(t[1])); }}};
  return cdfs;
}

class NumberTextbook : public testing::TestWithParam<KnownLaw> {};

TEST_P(NumberTextbook, CdfOfTheNumberItself) {
  const KnownLaw& k = GetParam();
  const auto found = textbook().find(k.family->name);
  ASSERT_NE(found, textbook().end()) << "a new family needs its formula here";
  const Transform t = k.transform();
  double least = 1, most = 0;
  for (const Theta& theta : k.thetas) {
    for (const double v : {0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 7.0}) {
      const double x = k.family->whole ? std::floor(v) : v;
      // tails say P(t < .): of whole numbers, P(x < x + 1) is P(x <= x).
      const double got = k.law->tails(theta, t(k.family->whole ? x + 1 : x)).below;
      EXPECT_NEAR(got, found->second(x, theta), 1e-13) << "at " << x;
      least = std::min(least, got);
      most = std::max(most, got);
    }
  }
  EXPECT_GT(most - least, 0.3) << "these places say nothing about the law";
}

INSTANTIATE_TEST_SUITE_P(All, NumberTextbook, testing::ValuesIn(known_laws()),
                         [](const auto& one) { return test_name(one.param.family->name); });

}  // namespace
}  // namespace postern::model
