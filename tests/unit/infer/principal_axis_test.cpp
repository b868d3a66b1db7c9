// The law of two encoded numbers about an axis, and the bounds of Williams and McSherry 2010 for it.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// Points and weights of the quadrature with weight e^{-x^2 / 2} that the reference takes its means by: zeros
/// of Hermite's polynomials, by Newton's steps.
void hermite(std::size_t size, std::vector<double>& x, std::vector<double>& w) {
  const auto values = [&](double at) {
    double before = 0;
    double now = 1;  // normalised polynomials, so that nothing overflows
    for (std::size_t k = 0; k < size; ++k) {
      const double next =
          (at * now - std::sqrt(static_cast<double>(k)) * before) / std::sqrt(static_cast<double>(k + 1));
      before = now;
      now = next;
    }
    return std::pair{now, before};
  };
  double last = values(-12).first;
  for (double at = -12; at < 12; at += 1e-3) {
    const double next = values(at + 1e-3).first;
    if ((last < 0) != (next < 0)) {
      double root = at;
      for (int i = 0; i < 20; ++i) {
        const auto [value, before] = values(root);
        root -= value / (std::sqrt(static_cast<double>(size)) * before);
      }
      x.push_back(root);
      const double before = values(root).second;
      w.push_back(1 / (static_cast<double>(size) * before * before));
    }
    last = next;
  }
}

double score(const std::array<Rational, 2>& z, double x, double y) {
  const double along = z[0].get_d() * x + z[1].get_d() * y;
  const double length2 = z[0].get_d() * z[0].get_d() + z[1].get_d() * z[1].get_d();
  return -0.5 * std::log(1 + length2 / 0.25) + along * along / (0.5 * (0.25 + length2));
}

/// pca_reference: n = 1000, theta = (1.5, 0), the candidate chosen that is on the axis, means by 28 x 28
/// points.
TEST(AxisBound, LowerBoundsAreTheReference) {
  const auto points = model::axis_candidates(setting(1).model);
  std::vector<double> x;
  std::vector<double> w;
  hermite(28, x, w);
  ASSERT_EQ(x.size(), 28u);
  std::vector<double> p;
  std::vector<double> scores(points.size() * 784);
  for (std::size_t cell = 0; cell < 784; ++cell) {
    p.push_back(w[cell / 28] * w[cell % 28]);
    std::vector<double> logs;
    for (const auto& z : points) logs.push_back(score(z, std::sqrt(2.5) * x[cell / 28], 0.5 * x[cell % 28]));
    const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
    for (std::size_t z = 0; z < points.size(); ++z)
      scores[z * 784 + cell] = std::clamp(logs[z] - (*least + *most) / 2, -1.0, 1.0);
  }
  struct Row {
    double exponent, lower;
  };
  for (const Row& row :
       {Row{.001, .026387797197773635}, Row{.003, .05854275185189652}, Row{.01, .1502561725772527},
        Row{.03, .25810045809040927}, Row{.1, .4172794027002163}}) {
    ChosenCandidate one;
    for (const double value : scores) one.log_weights.push_back(row.exponent * value);
    const ChoiceLikelihoods choices({one}, p.size());
    EXPECT_NEAR(std::exp(choices.log_lower(p, 1000)), row.lower, 1e-5 * row.lower) << row.exponent;
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
