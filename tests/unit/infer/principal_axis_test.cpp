// The law of two encoded numbers about an axis, and the bounds of Williams and McSherry 2010 for it.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/model/study_file.hpp"

#include "kinds/choice/likelihood.hpp"
#include "kinds/principal_axis/law.hpp"
#include "kinds/principal_axis/polar.hpp"

namespace postern::infer {
namespace {

/// The reference's setting, on a grid as fine as asked for.
struct Setting {
  model::PrincipalAxis model;
  model::Schema schema;
};
Setting setting(long grid_parts) {
  model::Column column;
  column.values = model::RealRange{-7, 7, Rational(1, grid_parts), {}};
  column.outside = model::Clamp{};
  model::Column other = column;
  column.name = "a";
  other.name = "b";
  return {{{"a", "b"}, Rational(1, 2), 24, {Rational(3, 4), Rational(3, 2), 3}, 1, 4},
          model::Schema({column, other})};
}

/// pca_reference: n = 1000, theta = (1.5, 0). The reference integrates over numbers that are not rounded.
TEST(AxisBound, LowerBoundsAreTheReference) {
  const auto [model, schema] = setting(5);
  const model::ScoreTable table = model::axis_scores(model, schema);
  const AxisLaw law(model, schema);
  std::vector<double> p;
  law.probabilities(law.at(1.5, 0), p);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  struct Row {
    double exponent, exact, lower;
  };
  for (const Row& row :
       {Row{.001, .02651495827287099, .026387797197773635}, Row{.01, .15423695798266912, .1502561725772527},
        Row{.1, .45971555203202963, .4172794027002163}}) {
    double best = 0;
    for (const std::size_t chosen : {0u, 24u, 48u}) {
      ChosenCandidate one;
      one.chosen = chosen;
      for (const std::int64_t score : table.scores)
        one.log_weights.push_back(row.exponent / (1 << 20) * static_cast<double>(score));
      const ChoiceLikelihoods choices({one}, p.size());
      best = std::max(best, std::exp(choices.log_lower(p, 1000)));
    }
    EXPECT_NEAR(best, row.lower, 0.03 * row.lower) << row.exponent;
    EXPECT_LT(best, 1.01 * row.exact) << row.exponent;
  }
}

/// Cells against a fine sum of the density.
TEST(AxisLawCells, AreIntegralsOfTheDensity) {
  const auto [model, schema] = setting(2);
  const AxisLaw law(model, schema);
  std::vector<double> p;
  law.probabilities(law.at(0.9, -1.2), p);
  const double vxx = 0.81 + 0.25;
  const double vyy = 1.44 + 0.25;
  const double vxy = -1.08;
  const double det = vxx * vyy - vxy * vxy;
  constexpr int kParts = 40;
  for (const auto& [i, j] : {std::pair{14, 14}, {15, 13}, {17, 11}, {12, 16}}) {
    double mass = 0;
    for (int a = 0; a < kParts; ++a) {
      for (int b = 0; b < kParts; ++b) {
        const double x = -7.25 + 0.5 * (i + (a + 0.5) / kParts);
        const double y = -7.25 + 0.5 * (j + (b + 0.5) / kParts);
        const double form = (vyy * x * x - 2 * vxy * x * y + vxx * y * y) / det;
        mass += std::exp(-form / 2) / (2 * M_PI * std::sqrt(det)) * 0.25 / (kParts * kParts);
      }
    }
    EXPECT_NEAR(p[static_cast<std::size_t>(i * 29 + j)], mass, 1e-3 * mass + 1e-7);
  }
}

/// Draws follow the density that is told: E[1 / density] over draws in a disc is the disc's area.
TEST(PolarPosteriorDraws, FollowTheirDensity) {
  Rng rng(20261118, 0, Purpose::test);
  for (const AxisSums& sums : {AxisSums{0, 0, 0, 0}, AxisSums{3, 5, 1, 0.4}, AxisSums{30, 40, 8, -1}}) {
    const PolarPosterior likely(sums, 0.5, 1);
    const double turn = sums.angle;
    double sum = 0;
    double squares = 0;
    constexpr int kDraws = 200'000;
    for (int i = 0; i < kDraws; ++i) {
      const auto [x, y] = likely.draw(rng);
      const double dx = x - std::cos(turn);
      const double dy = y - std::sin(turn);
      if (dx * dx + dy * dy > 0.25) continue;
      const double inverse = std::exp(-likely.log_density(x, y));
      sum += inverse;
      squares += inverse * inverse;
    }
    const double mean = sum / kDraws;
    const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
    EXPECT_NEAR(mean, M_PI * 0.25, 5 * error + 1e-3);
  }
}

}  // namespace
}  // namespace postern::infer
