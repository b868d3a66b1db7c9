#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "regression_studies.hpp"

// What a regression sums, in which order, and what it stands for.

namespace postern::model {
namespace {

std::vector<std::pair<std::size_t, std::size_t>> pairs(const Study& study, MomentPart part) {
  const auto& model = study.model.get<LinearRegression>();
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const MomentPair& pair : moment_pairs({model.features, "y", model.steps, part}, study.schema))
    out.emplace_back(pair.first, pair.second);
  return out;
}

// w = (1, x0, c1 = l1, c1 = l2, c2 = l1, y)
TEST(Moments, NameTheirProducts) {
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  const Study study = regression_study({{5}, {3, 2}, 5, 2, true}, Adjacency::add_remove, Currency::pure);
  EXPECT_EQ(pairs(study, MomentPart::x), (Pairs{{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
  EXPECT_EQ(pairs(study, MomentPart::y), (Pairs{{0, 5}}));
  EXPECT_EQ(pairs(study, MomentPart::x_squares), (Pairs{{1, 1}}));
  EXPECT_EQ(pairs(study, MomentPart::y_square), (Pairs{{5, 5}}));
  EXPECT_EQ(pairs(study, MomentPart::xx), (Pairs{{1, 2}, {1, 3}, {1, 4}, {2, 4}, {3, 4}}));
  EXPECT_EQ(pairs(study, MomentPart::xy), (Pairs{{1, 5}, {2, 5}, {3, 5}, {4, 5}}));
  const Block xx = regression_plan(study, "1").measurement.blocks[5];
  EXPECT_EQ(xx.statistic.kind().coordinate_text(xx.statistic, study.schema, 3), "sum of c1 = l1 x c2 = l1");
}

TEST(Moments, RoundHalfAwayFromTheMiddle) {
  EXPECT_EQ(moment_levels(small_number("x", 2), 4), (std::vector<std::int16_t>{-4, 4}));
  EXPECT_EQ(moment_levels(small_number("x", 5), 2), (std::vector<std::int16_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(moment_levels(small_number("x", 9), 2),
            (std::vector<std::int16_t>{-2, -2, -1, -1, 0, 1, 1, 2, 2}));
}

// Two records of (x0, c1, c2, y) at levels of five, three, two and five, on two steps a side.
TEST(Moments, AddUp) {
  const Study study = regression_study({{5}, {3, 2}, 5, 2, true}, Adjacency::add_remove, Currency::pure);
  std::vector<std::vector<int>> values;
  for (const Block& block : regression_plan(study, "1").measurement.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
    for (const std::vector<std::uint32_t>& record : {std::vector<std::uint32_t>{0, 2, 1, 3}, {3, 0, 1, 4}})
      tally->add(std::span(record).first(block.statistic.kind().columns(block.statistic).size()), 1);
    values.emplace_back();
    for (const Int128 value : tally->values()) values.back().push_back(static_cast<int>(value));
  }
  EXPECT_EQ(values, (std::vector<std::vector<int>>{{2},                       // records
                                                   {-2 + 1, 0, 2, 4},         // x
                                                   {1 + 2},                   // y
                                                   {4 - 2 + 1 - 2},           // x^2, less half of 4 each
                                                   {1 - 2 + 4 - 2},           // y^2
                                                   {0, -4, -4 + 2, 0, 4},     // xx
                                                   {-2 + 2, 0, 2, 2 + 4}}));  // xy
}

TEST(Moments, ParametersGoBackAndForth) {
  const Study study = regression_study({{11}, {3}, 21, 1024, true}, Adjacency::replace_one, Currency::pure);
  const auto& model = study.model.get<LinearRegression>();
  const RegressionTheta scaled{{0.25, 0.5, -0.125, 0.75}, 0.1};
  const std::vector<double> natural = natural_parameters(scaled, model, study.schema);
  // y = 10 + 10 (0.25 + 0.5 (x - 5) / 5 - ...)
  EXPECT_DOUBLE_EQ(natural[1], 1);
  EXPECT_DOUBLE_EQ(natural[0], 10 + 2.5 - 5);
  EXPECT_DOUBLE_EQ(natural[2], -1.25);
  EXPECT_DOUBLE_EQ(natural[4], 1);
  const RegressionTheta back = scaled_parameters(natural, model, study.schema);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(back.beta[i], scaled.beta[i], 1e-12);
  EXPECT_NEAR(back.sigma, scaled.sigma, 1e-12);
  const std::vector<Parameter> names = study.model.kind().parameters(study);
  ASSERT_EQ(names.size(), natural.size());
  EXPECT_EQ(names[1].label, "slope of x0");
  EXPECT_EQ(names[3].label, "effect of c1 = l2");
  EXPECT_EQ(names[4].name, "sigma");
}

// Records made from known parameters give them back by least squares.
TEST(Moments, SimulatedRecordsFollowTheirParameters) {
  const Study study =
      regression_study({{1001}, {2}, 2001, 1024, true}, Adjacency::replace_one, Currency::pure);
  const std::vector<double> truth{800, 0.3, 100, 80};  // y = 800 + 0.3 x + 100 [l1] + 80 e
  Rng rng(20261118, 3, Purpose::test);
  const auto made = study.model.kind().simulate(study, 20'000, truth, rng);
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(made->theta()[i], truth[i], 1e-9);
  double n = 0;
  double residual = 0;
  double squares = 0;
  made->for_each([&](std::span<const std::uint32_t> r, std::int64_t count) {
    const double e = r[2] - (truth[0] + truth[1] * r[0] + truth[2] * r[1]);
    n += static_cast<double>(count);
    residual += e;
    squares += e * e;
  });
  EXPECT_EQ(n, 20'000);
  EXPECT_NEAR(residual / n, 0, 5 * 80 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), 80, 5 * 80 / std::sqrt(2 * n));
}

// Of studies drawn from the prior, bounds hold nearly all records.
TEST(Moments, SimulatedRecordsAreMostlyInside) {
  const Study study =
      regression_study({{1001, 1001, 1001}, {4}, 2001, 1024, true}, Adjacency::add_remove, Currency::pure);
  Rng rng(20261118, 4, Purpose::test);
  std::int64_t outside = 0;
  for (int draw = 0; draw < 40; ++draw)
    outside += study.model.kind().simulate(study, 250, std::nullopt, rng)->outside();
  EXPECT_LT(outside, 2'500);
}

TEST(Moments, AdviseToLeaveOutProductsThatNoiseDrowns) {
  const RegressionShape pima{{18, 200, 123, 100, 847, 70, 250}, {}, 82, 1024, true};
  const Study study = regression_study(pima, Adjacency::add_remove, Currency::pure);
  const NoisePlan plan = regression_plan(study, "1");
  const auto advice = [&](const Study& of, std::int64_t n) {
    return of.model.kind().advice(of, regression_plan(of, "1"), n);
  };
  ASSERT_EQ(advice(study, 768).size(), 1u);  // sqrt(2) 41 / (768 x 0.1) = 0.75
  EXPECT_NE(advice(study, 768)[0].find("feature_products = false"), std::string::npos);
  EXPECT_TRUE(advice(study, 32'561).empty());
  RegressionShape without = pima;
  without.feature_products = false;
  const Study lean = regression_study(without, Adjacency::add_remove, Currency::pure);
  EXPECT_TRUE(advice(lean, 768).empty());
  EXPECT_NE(advice(lean, 32'561)[0].find("take feature_products = false out"), std::string::npos);
  EXPECT_EQ(lean.model.kind().advice(lean, plan, std::nullopt).size(), 1u);
}

// Products that drown with as many records as the study allows have little of the budget; else all have the
// same. Nothing but study and budget has a say.
TEST(Moments, SpendsLittleOnProductsThatSurelyDrown) {
  const RegressionShape pima{{18, 200, 123, 100, 847, 70, 250}, {}, 82, 1024, true};
  Study study = regression_study(pima, Adjacency::add_remove, Currency::pure);
  const auto scales = [&] {  // of noise, in sums of w_i w_j
    std::map<std::string, double> out;
    for (const Block& block : regression_plan(study, "1").measurement.blocks) {
      const auto* moments = block.statistic.as<Moments>();
      if (moments != nullptr)
        out[std::string(to_text(moments->part))] =
            moment_unit(*moments).get_d() / block.noise.parameter.get_d();
    }
    return out;
  };
  study.privacy.n_at_most = 100'000;
  std::map<std::string, double> found = scales();
  EXPECT_DOUBLE_EQ(found["y"], found["xx"]);
  study.privacy.n_at_most = 1500;  // sqrt(2) 41 / (1500 x 0.1) = 0.39
  found = scales();
  EXPECT_NEAR(found["y^2"] / found["y"], 6, 1e-6);
  EXPECT_NEAR(found["y^2"] / found["x"], 3, 1e-6);
  EXPECT_NEAR(found["y^2"] / found["xy"], 3, 1e-6);
  EXPECT_NEAR(found["y^2"] / found["xx"], 0.05, 1e-6);
  EXPECT_NE(
      study.model.kind().advice(study, regression_plan(study, "1"), std::nullopt)[0].find("whatever n is"),
      std::string::npos);
}

}  // namespace
}  // namespace postern::model
