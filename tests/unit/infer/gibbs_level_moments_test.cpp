#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/kinds/number/gibbs/level_moments.hpp"
#include "postern/infer/kinds/number/gibbs/normal_table.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {
namespace {

struct Case {
  std::string family;
  std::vector<Rational> known;
  model::Column column;
  std::vector<double> thetas;
};

model::Column whole(std::int64_t hi, model::Policy outside = model::Clamp{}) {
  return {"x", model::IntegerRange{0, hi, {}}, model::MapTo{0}, outside, true};
}
model::Column real(const Rational& lo, const Rational& hi, const Rational& grid,
                   model::Policy outside = model::Clamp{}) {
  return {"x", model::RealRange{lo, hi, grid, {}}, model::MapTo{0}, outside, true};
}

const std::vector<Case> kEven = {
    {"exponential", {}, real(0, 2, Rational("1/100")), {0.01, 1, 4, 30, 200}},
    {"exponential", {}, real(0, 2, Rational("1/10000")), {0.01, 1, 4, 30, 20000}},
    {"exponential", {}, real(0, 2, Rational("1/10000"), model::MapTo{0}), {0.01, 1, 4, 30}},
    {"gamma", {Rational("5/2")}, real(0, 10, Rational("1/1000")), {0.1, 1, 4}},
    {"gamma", {Rational("1/2")}, real(0, 10, Rational("1/1000")), {0.1, 1, 4}},
    {"poisson", {}, whole(30), {0.1, 1, 4, 30, 60}},
    {"poisson", {}, whole(20000), {0.1, 10, 400, 19900}},
    {"geometric", {}, whole(10000), {0.0001, 0.01, 0.5, 0.99}},
    {"negative-binomial", {Rational("5/2")}, whole(5000), {0.001, 0.01, 0.5}},
    {"normal-mean", {4}, real(-5, 5, Rational("1/1000")), {0, 3, -5, 9}},
    {"normal-mean", {Rational("1/10")}, real(-5, 5, 1), {0, 3, -5, 0.5}},
};
const std::vector<Case> kRounded = {
    {"half-normal", {}, real(0, 2, Rational("1/1000")), {0.1, 1, 4, 30, 20000}},
    {"pareto", {1}, real(1, 1000, Rational("1/10")), {0.1, 1, 4}},
    {"pareto", {5}, real(1, 1000, Rational("1/10")), {0.1, 1, 4}},
    {"weibull", {3}, real(0, 5, Rational("1/1000")), {0.01, 0.1, 1}},
};

const std::vector<Case> kDropped = {
    {"exponential", {}, real(0, 2, Rational("1/10000"), model::Drop{}), {1e-8, 0.01, 1, 30, 2000}},
    {"gamma", {Rational("1/2")}, real(1, 10, Rational("1/1000"), model::Drop{}), {0.01, 1, 4, 40}},
    {"poisson", {}, whole(30, model::Drop{}), {0.1, 4, 30, 60, 300}},
    {"geometric", {}, whole(1000, model::Drop{}), {0.0001, 0.01, 0.5}},
    {"normal-mean", {4}, real(-5, 5, Rational("1/1000"), model::Drop{}), {0, 3, -5, 9, 60, -40}},
};

/// Every level on its own.
LevelMoments listed(const model::NumberLaw& law, const model::EncodedNumber& number, double theta) {
  std::vector<double> masses;
  model::level_masses(law, {theta, 0}, number, masses);
  long double m = 0;
  long double v = 0;
  for (std::size_t l = 0; l < masses.size(); ++l)
    m += static_cast<long double>(masses[l]) * static_cast<long double>(number.values.adds[l]);
  for (std::size_t l = 0; l < masses.size(); ++l) {
    const long double d = static_cast<long double>(number.values.adds[l]) - m;
    v += static_cast<long double>(masses[l]) * d * d;
  }
  return {static_cast<double>(m), static_cast<double>(v), 0, 0};
}

void expect_moments(const Case& test, double tolerance) {
  const model::NumberFamily& family = *model::find_number_family(test.family);
  const std::shared_ptr<const model::NumberLaw> law = family.law(test.known);
  const model::EncodedNumber number = model::encoded_number(test.column, family.transform(test.known));
  const LevelMomentSum sum(*law, number);
  for (const double theta : test.thetas) {
    const std::string what = test.family + " at " + std::to_string(theta);
    const LevelMoments wanted = listed(*law, number, theta);
    const LevelMoments found = sum.at({theta, 0});
    EXPECT_NEAR((found.mean - wanted.mean) / std::sqrt(wanted.variance), 0, tolerance) << what;
    EXPECT_NEAR(found.variance / wanted.variance, 1, 5 * tolerance) << what;
  }
}

TEST(LevelMoments, EqualStepsAgainstEveryLevel) {
  for (const Case& test : kEven) expect_moments(test, 2e-9);
}

TEST(LevelMoments, KeptRecordsAgainstEveryLevel) {
  for (const Case& test : kDropped) expect_moments(test, 2e-9);
}

// A law that is much wider than the range is flat on what is kept: the edges' tails are all alike.
TEST(LevelMoments, KeptRecordsOfAWideLawAreUniform) {
  const model::NumberFamily& family = *model::find_number_family("normal-mean");
  const std::shared_ptr<const model::NumberLaw> law =
      family.law(std::vector<Rational>{Rational("100000000000000000000")});
  const model::EncodedNumber number =
      model::encoded_number(real(-5, 5, Rational("1/100"), model::Drop{}), family.transform({}));
  const LevelMoments found = LevelMomentSum(*law, number).at({1e6, 0});
  // A thousand steps; the first and the last level are half as wide.
  EXPECT_NEAR(found.mean, 0, 1e-6);
  EXPECT_NEAR(found.variance / (1e6 / 12 + 1.0 / 6), 1, 1e-9);
}

TEST(LevelMoments, RoundedTransformsAgainstEveryLevel) {
  for (const Case& test : kRounded) expect_moments(test, 3e-6);
}

// Cov of (k, (k - E k)^2) with (t, (t - mu)^2), by the rectangle rule over t.
TEST(LevelMoments, NormalTableAgainstQuadrature) {
  const model::NumberFamily& family = *model::find_number_family("normal");
  const std::shared_ptr<const model::NumberLaw> law = family.law({});
  const auto number = std::make_shared<const model::EncodedNumber>(
      model::encoded_number(real(-3, 3, Rational("1/20")), family.transform({})));
  NormalTable table(law, number);
  constexpr int kSteps = 100'000;
  for (const double mu : {0.0, 10.3, -40.0}) {
    for (const double sd : {0.3, 2.0, 20.0, 60.0}) {
      const LevelMoments k = table.directly(mu, 2 * std::log(sd));
      const SquareMoments found = table.at(mu, 2 * std::log(sd));
      const double kd = std::sqrt(k.variance);
      EXPECT_NEAR(found.mean, k.mean, 1e-8 * kd);
      EXPECT_NEAR(found.variance / k.variance, 1, 1e-8);
      EXPECT_NEAR(found.covariance, k.third, 1e-7 * kd * k.variance);
      EXPECT_NEAR(found.square_variance, k.fourth - k.variance * k.variance, 1e-6 * k.fourth);
      double with[2][2] = {{0, 0}, {0, 0}};
      for (int i = 0; i <= kSteps; ++i) {
        const double z = -10 + 20.0 * i / kSteps;
        const double mass = std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI) * 20 / kSteps;
        const auto level = number->level_of(number->values.zero + number->values.unit * (mu + sd * z));
        const double d = static_cast<double>(number->values.adds[static_cast<std::size_t>(level)]) - k.mean;
        const double q[] = {d, d * d - k.variance};
        const double w[] = {sd * z, sd * sd * (z * z - 1)};
        for (int a = 0; a < 2; ++a) {
          for (int b = 0; b < 2; ++b) with[a][b] += mass * q[a] * w[b];
        }
      }
      const double q_sd[] = {kd, k.variance};
      const double w_sd[] = {sd, sd * sd};
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b)
          EXPECT_NEAR(found.with[a][b], with[a][b], 3e-4 * q_sd[a] * w_sd[b])
              << mu << " " << sd << " " << a << b;
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
