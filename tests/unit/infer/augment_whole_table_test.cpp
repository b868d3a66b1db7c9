#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/augment/whole_table.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {
namespace {

struct Law {
  std::string_view family;
  std::vector<Rational> known;
  double theta;
};

/// Chi-square of 200,000 draws against the law's own tails, at 1e-6; values expected less than 20 times are
/// pooled with their neighbours above.
void expect_fit(const WholeTable& table, const model::NumberLaw& law, const model::Theta& theta) {
  constexpr double kDraws = 200'000;
  std::map<double, double> seen;
  Rng rng(11, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) ++seen[table.draw(rng)];
  double statistic = 0;
  double cells = -1;
  double observed = 0;
  double from = 0;
  for (double x = 0; x < 5000; ++x) {
    observed += seen[x];
    const double expected = kDraws * (law.tails(theta, x + 1).below - law.tails(theta, from).below);
    if (expected < 20 || kDraws * law.tails(theta, x + 1).above < 20) continue;
    statistic += (observed - expected) * (observed - expected) / expected;
    ++cells;
    observed = 0;
    from = x + 1;
  }
  double rest = observed;
  const double expected = kDraws * law.tails(theta, from).above;
  statistic += (rest - expected) * (rest - expected) / expected;
  ++cells;
  EXPECT_GT(chi_square_tail(statistic, cells), 1e-6) << statistic << " with " << cells;
}

TEST(WholeTable, DrawsFromTheLaw) {
  for (const Law& one : {Law{"poisson", {}, 4}, Law{"poisson", {}, 300}, Law{"poisson", {}, 0.01},
                         Law{"geometric", {}, 0.2}, Law{"geometric", {}, 0.99}, Law{"binomial", {1}, 0.3},
                         Law{"binomial", {30}, 0.9}, Law{"negative-binomial", {Rational(5, 2)}, 0.4}}) {
    SCOPED_TRACE(std::string(one.family) + " " + std::to_string(one.theta));
    const auto law = model::find_number_family(one.family)->law(one.known);
    WholeTable table;
    ASSERT_TRUE(table.fill(*law, {one.theta, 0}, 100'000));
    expect_fit(table, *law, {one.theta, 0});
  }
}

TEST(WholeTable, IsNotMadeWhereItDoesNotPay) {
  const auto law = model::find_number_family("geometric")->law({});
  WholeTable table;
  EXPECT_FALSE(table.fill(*law, {0.2, 0}, 10));
  EXPECT_FALSE(table.fill(*law, {0.2, 0}, 1000)) << "190 values";
  EXPECT_TRUE(table.fill(*law, {0.2, 0}, 3000));
  EXPECT_FALSE(table.fill(*law, {1e-300, 0}, 1'000'000));
  EXPECT_FALSE(table.fill(*law, {1e-5, 0}, 1'000'000));
}

}  // namespace
}  // namespace postern::infer
