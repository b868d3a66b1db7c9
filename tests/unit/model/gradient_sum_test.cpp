#include "postern/model/statistic/gradient_sum.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/rounds.hpp"

#include "logistic_studies.hpp"

namespace postern::model {
namespace {

using Record = std::vector<std::uint32_t>;

std::vector<Record> all_records(const Study& study) {
  std::vector<Record> out{{}};
  for (const std::string& name : columns_of(study.model)) {
    std::vector<Record> longer;
    for (const Record& record : out) {
      for (std::uint32_t level = 0; level < study.schema.at(name).levels(); ++level) {
        longer.push_back(record);
        longer.back().push_back(level);
      }
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<Int128> term_of(const Statistic& gradient, const Study& study, const Record& record) {
  const auto tally = gradient.kind().tally(gradient, study.schema);
  tally->add(record, 1);
  return tally->values();
}

double norm(const std::vector<Int128>& a, const std::vector<Int128>& b, Currency currency) {
  double out = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const auto change = std::abs(static_cast<double>(a[j] - b[j]));
    out += currency == Currency::pure ? change : change * change / 2;
  }
  return out;
}

Study small(Adjacency adjacency, Currency currency) {
  return logistic_study(
      {.numbers = 1, .category = 3, .adjacency = adjacency, .currency = currency, .levels = 5});
}

GradientSum random_gradient(const Study& study, Rng& rng) {
  const auto& model = study.model.get<LogisticRegression>();
  GradientSum out = gradient_at(model, {});
  const double size = std::exp(draw_normal(rng));
  out.theta.resize(GradientEntries(out, study.schema).size());
  for (std::int64_t& one : out.theta)
    one = std::llround(std::clamp(size * draw_normal(rng), -60.0, 60.0) * (1 << kThetaBits));
  return out;
}

/// The largest change of the sums over all neighbours, weighed with noise parameter 1, against what is
/// charged.
TEST(GradientCost, IsNeverBelowBruteForceAndSeldomFarAbove) {
  Rng rng(20261118, 85, Purpose::test);
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = small(adjacency, currency);
      const std::vector<Record> records = all_records(study);
      for (int trial = 0; trial < 20; ++trial) {
        const GradientSum gradient = random_gradient(study, rng);
        const Block block{
            gradient,
            {currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian, 1},
            gradient.theta.size()};
        const double charged = cost({{block}}, study.schema, study.privacy).get_d();
        double worst = 0;
        const std::vector<Int128> none(gradient.theta.size(), 0);
        for (const Record& here : records) {
          const auto term = term_of(block.statistic, study, here);
          if (adjacency == Adjacency::add_remove) worst = std::max(worst, norm(term, none, currency));
          for (const Record& there : records) {
            if (adjacency == Adjacency::replace_one)
              worst = std::max(worst, norm(term, term_of(block.statistic, study, there), currency));
          }
        }
        EXPECT_LE(worst, charged);
        EXPECT_GT(worst, 0.2 * charged);
      }
    }
  }
}

TEST(GradientCost, OfTheFirstRoundIsAttained) {
  const Study study = small(Adjacency::replace_one, Currency::pure);
  const GradientSum start = gradient_at(study.model.get<LogisticRegression>(), {0, 0, 0, 0});
  const Block block{start, {NoiseKind::discrete_laplace, 1}, 4};
  // intercept, number and category: twice a half of 1024 each
  EXPECT_EQ(cost({{block}}, study.schema, study.privacy), Rational(3 * 1024));
  const Statistic statistic = start;
  EXPECT_EQ(norm(term_of(statistic, study, {4, 1, 1}), term_of(statistic, study, {4, 1, 0}), Currency::pure),
            3 * 1024);
}

TEST(GradientSum, TermsAreRoundedTowardZero) {
  Rng rng(20261118, 86, Purpose::test);
  const Study study = small(Adjacency::replace_one, Currency::pure);
  for (int trial = 0; trial < 20; ++trial) {
    const GradientSum gradient = random_gradient(study, rng);
    const GradientEntries entries(gradient, study.schema);
    std::vector<std::int64_t> w(entries.size());
    for (const Record& record : all_records(study)) {
      entries.fill(record, w);
      double odds = 0;
      for (std::size_t j = 0; j < w.size(); ++j)
        odds += std::ldexp(static_cast<double>(gradient.theta[j]), -16) * static_cast<double>(w[j]) / 1024;
      const double error = (record.back() == 1 ? 1 : 0) - 1 / (1 + std::exp(-odds));
      const auto term = term_of(gradient, study, record);
      for (std::size_t j = 0; j < w.size(); ++j) {
        const double exact = error * static_cast<double>(w[j]);
        EXPECT_LE(std::abs(static_cast<double>(term[j])), std::abs(exact) + 0.01);
        EXPECT_GT(std::abs(static_cast<double>(term[j])), std::abs(exact) - 1.01);
      }
    }
  }
}

TEST(GradientSum, TheLogisticFunctionRisesAndIsClose) {
  std::int64_t last = 0;
  for (std::int64_t t = -(std::int64_t{20} << 26); t <= std::int64_t{20} << 26; t += 777'777) {
    const std::int64_t here = logistic_units(t);
    EXPECT_GE(here, last);
    last = here;
    const double exact = 1 / (1 + std::exp(-std::ldexp(static_cast<double>(t), -26)));
    EXPECT_NEAR(std::ldexp(static_cast<double>(here), -20), exact, 5e-6);
  }
  EXPECT_EQ(logistic_units(0), 1 << 19);
}

TEST(LogisticRounds, SpendWhatWasChargedAndNoMore) {
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    const Study study = logistic_study({.numbers = 2, .category = 3, .rounds = 4, .adjacency = adjacency});
    const NoisePlan plan = logistic_plan(study, "1");
    ASSERT_TRUE(plan.rounds);
    EXPECT_EQ(plan.rounds->at_most, 4U);
    std::vector<std::vector<MeasuredBlock>> made;
    std::vector<PublishedRound> before;
    Rational spent = 0;
    for (std::optional<Measurement> next = plan.measurement; next;
         next = next_round(study, plan.request, plan.cost, before)) {
      spent += cost(*next, study.schema, study.privacy);
      std::vector<MeasuredBlock>& round = made.emplace_back();
      for (const Block& block : next->blocks)
        round.push_back({block, std::vector<Int128>(block.size, 40'000)});
      before.clear();
      for (const auto& one : made) before.push_back({one, {}});
    }
    EXPECT_EQ(made.size(), 4U);
    EXPECT_EQ(spent, Rational(1));
  }
}

TEST(LogisticRounds, StepsAreExactAndBounded) {
  const Study study = logistic_study({.n = 1000});
  const auto& model = study.model.get<LogisticRegression>();
  const GradientSum at = gradient_at(model, {0, 1 << kThetaBits});
  // 8 / 1000 times a gradient of 1 and of -2: 524.288 and -1048.576 units of 2^-16
  const std::vector<Int128> gradient{1024, -2048};
  EXPECT_EQ(ascended(model, at, gradient), (std::vector<std::int64_t>{524, (1 << kThetaBits) - 1049}));
  const std::vector<Int128> huge{Int128{1} << 100, -(Int128{1} << 100)};
  EXPECT_EQ(ascended(model, at, huge), (std::vector<std::int64_t>{kMostTheta, -kMostTheta}));
}

TEST(LogisticRegression, CoefficientsComeBackFromTheirUnits) {
  const Study study = logistic_study({.numbers = 2, .category = 3});
  const auto& model = study.model.get<LogisticRegression>();
  const std::vector<double> scaled{0.3, -1, 2, 0.5, -0.25};
  const std::vector<double> natural = natural_coefficients(scaled, model, study.schema);
  EXPECT_NEAR(natural[1], -1.0 / 20, 1e-12);  // 41 levels: half the range is 20
  const std::vector<double> back = scaled_coefficients(natural, model, study.schema);
  for (std::size_t j = 0; j < scaled.size(); ++j) EXPECT_NEAR(back[j], scaled[j], 1e-12);
}

}  // namespace
}  // namespace postern::model
