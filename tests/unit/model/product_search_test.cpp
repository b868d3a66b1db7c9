#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/model/statistic/sums.hpp"

#include "statistic/products/lattice_points.hpp"
#include "statistic/products/search.hpp"

// Every rule by which the search drops vectors, against all vectors of small boxes; and the search itself,
// whether it comes to its end or is given up, against all pairs of records.

namespace postern::model {
namespace {

using Vector = std::vector<std::int64_t>;

void for_each_vector(const VectorBox& box, const std::function<void(const Vector&)>& visit) {
  Vector y = box.lo;
  for (;;) {
    visit(y);
    std::size_t i = 0;
    while (i < y.size() && y[i] == box.hi[i]) {
      y[i] = box.lo[i];
      ++i;
    }
    if (i == y.size()) return;
    ++y[i];
  }
}

std::int64_t between(Rng& rng, std::int64_t lo, std::int64_t hi) {
  return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
}

/// Weights of 0 to some thousands, and ends with 0 between them or at one of them.
struct Problem {
  Problem(Rng& rng, std::size_t d, std::int64_t widest, Currency paid) : currency(paid) {
    const std::vector<std::string> names{"a", "b", "c", "d"};
    const auto weight = [&] {
      std::int64_t w = rng() % 8 == 0 ? 0 : between(rng, 1, 40);
      for (std::uint64_t k = rng() % 5; k > 0; --k) w *= 3;
      return w;
    };
    const auto rational = [](std::int64_t w) { return Rational(static_cast<long>(w)); };
    products.resize(d * d);
    for (std::size_t i = 0; i < d; ++i) {
      ends.push_back({-between(rng, 0, widest), between(rng, 0, widest)});
      for (std::size_t j = 0; j < i; ++j) {
        const ProductSum product{names[j], names[i]};
        products[i * d + j] = weight();
        sums.add(WeighedProduct{&product, rational(products[i * d + j])});
      }
    }
    for (std::size_t i = 0; i < d; ++i) {
      LevelSum sum{names[i], {}};
      linear.push_back(weight() * (rng() % 2 == 0 ? widest : 1));
      sums.add(WeighedSum{&sum, rational(linear.back())});
      sum.power = 2;
      products[i * d + i] = weight();
      sums.add(WeighedSum{&sum, rational(products[i * d + i])});
    }
  }
  [[nodiscard]] std::int64_t cost(const Vector& x, const Vector& y) const {
    const auto power = [&](std::int64_t change) {
      return currency == Currency::zcdp ? change * change : std::abs(change);
    };
    const std::size_t d = x.size();
    std::int64_t total = 0;
    for (std::size_t i = 0; i < d; ++i) {
      total += linear[i] * power(x[i] - y[i]);
      for (std::size_t j = 0; j <= i; ++j) total += products[i * d + j] * power(x[i] * x[j] - y[i] * y[j]);
    }
    return total;
  }
  [[nodiscard]] std::int64_t worst_pair() const {
    VectorBox box;
    for (const LevelEnds& end : ends) {
      box.lo.push_back(end.least);
      box.hi.push_back(end.most);
    }
    std::vector<Vector> all;
    for_each_vector(box, [&](const Vector& x) { all.push_back(x); });
    std::int64_t worst = 0;
    for (const Vector& x : all) {
      for (const Vector& y : all) worst = std::max(worst, cost(x, y));
    }
    return worst;
  }

  Currency currency;
  CoupledSums sums;
  std::vector<LevelEnds> ends;
  std::vector<std::int64_t> linear, products;
};

VectorBox random_part(const VectorBox& whole, Rng& rng) {
  VectorBox box = whole;
  for (std::size_t i = 0; i < box.size(); ++i) {
    box.lo[i] = between(rng, whole.lo[i], whole.hi[i]);
    box.hi[i] = between(rng, box.lo[i], whole.hi[i]);
  }
  return box;
}

Integer value(const Majorant& m, const Vector& y) {
  const auto h = [&](std::size_t i) { return Integer(static_cast<long>(y[i] - m.centre[i])); };
  Integer total = m.at;
  for (std::size_t i = 0; i < y.size(); ++i) {
    total += m.slope[i] * h(i) + m.bend[i] * h(i) * h(i);
    for (std::size_t j = 0; j < i; ++j) total += m.twist[i * y.size() + j] * h(i) * h(j);
  }
  return total;
}

class ProductRules : public testing::TestWithParam<Currency> {};
INSTANTIATE_TEST_SUITE_P(Both, ProductRules, testing::Values(Currency::pure, Currency::zcdp));

// One vector at the far ends, the other anywhere: 300 problems.
TEST_P(ProductRules, TheSearchEqualsAllPairsOrIsAbove) {
  Rng rng(20261117, 31, Purpose::test);
  std::size_t given_up = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t d = 2 + static_cast<std::size_t>(repeat % 3);
    const std::int64_t widest[] = {9, 3, 2};
    const Problem problem(rng, d, widest[d - 2], GetParam());
    const ProductCost cost(problem.sums, problem.ends, GetParam());
    const Rational truth(static_cast<long>(problem.worst_pair()));
    const WorstPair whole = find_worst_pair(cost, 200'000);
    EXPECT_TRUE(whole.exact);
    EXPECT_EQ(whole.cost, truth);
    const WorstPair part = find_worst_pair(cost, rng() % 60);
    EXPECT_GE(part.cost, truth);
    if (part.exact) {
      EXPECT_EQ(part.cost, truth);
    }
    given_up += part.exact ? 0 : 1;
  }
  EXPECT_GE(given_up, 20u);
}

TEST_P(ProductRules, StepsLieWithinTheirBounds) {
  Rng rng(20261117, 32, Purpose::test);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Problem problem(rng, 3, 4, GetParam());
    const ProductCost cost(problem.sums, problem.ends, GetParam());
    const VectorBox box = random_part(cost.whole(), rng);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto steps = cost.steps(i, box.lo[i], box.hi[i], box);
      for_each_vector(box, [&](const Vector& y) {
        Vector next = y;
        ++next[i];
        const Integer step = cost(next) - cost(y);
        EXPECT_LE(steps.least, step);
        EXPECT_GE(steps.most, step);
      });
    }
  }
}

TEST_P(ProductRules, ConvexColumnsAreConvex) {
  Rng rng(20261117, 33, Purpose::test);
  std::size_t convex = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const Problem problem(rng, 3, 4, GetParam());
    const ProductCost cost(problem.sums, problem.ends, GetParam());
    const VectorBox box = random_part(cost.whole(), rng);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!cost.convex(i, box)) continue;
      ++convex;
      for_each_vector(box, [&](const Vector& y) {
        Vector low = y;
        Vector high = y;
        low[i] = box.lo[i];
        high[i] = box.hi[i];
        EXPECT_LE(cost(y), std::max(cost(low), cost(high)));
      });
    }
  }
  EXPECT_GE(convex, 50u);
}

TEST_P(ProductRules, MajorantsAreNowhereBelow) {
  Rng rng(20261117, 34, Purpose::test);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Problem problem(rng, 3, 4, GetParam());
    const ProductCost cost(problem.sums, problem.ends, GetParam());
    const VectorBox box = random_part(cost.whole(), rng);
    const Majorant majorant = cost.majorant(box);
    EXPECT_EQ(value(majorant, majorant.centre), cost(majorant.centre));
    for_each_vector(box, [&](const Vector& y) {
      EXPECT_GE(value(majorant, y), cost(y));
      if (cost.quadratic()) {
        EXPECT_EQ(value(majorant, y), cost(y));
      }
    });
  }
}

/// A quadratic with bends of -1 to -20, with its top in the box or outside.
Majorant random_quadratic(Rng& rng, const VectorBox& box) {
  const std::size_t d = box.size();
  const auto draw = [&](std::int64_t lo, std::int64_t hi) {
    return Integer(static_cast<long>(between(rng, lo, hi)));
  };
  Majorant out{{}, draw(-50, 50), {}, {}, std::vector<Integer>(d * d)};
  for (std::size_t i = 0; i < d; ++i) {
    out.centre.push_back(between(rng, box.lo[i], box.hi[i]));
    out.slope.push_back(draw(-60, 60));
    out.bend.push_back(draw(-20, -1));
    for (std::size_t j = 0; j < i; ++j) out.twist[i * d + j] = out.twist[j * d + i] = draw(-8, 8);
  }
  return out;
}

// Those above a level that stays: exactly these, once each.
TEST(LatticePoints, AreAllThatLieAboveTheLevel) {
  Rng rng(20261117, 35, Purpose::test);
  std::size_t complete = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t d = 1 + static_cast<std::size_t>(repeat % 4);
    const VectorBox box = random_part({Vector(d, -4), Vector(d, 5)}, rng);
    const Majorant quadratic = random_quadratic(rng, box);
    const Integer level = quadratic.at + Integer(static_cast<long>(between(rng, -200, 40)));
    std::vector<Vector> listed;
    const Listing listing = list_above(quadratic, box, level, 1'000'000, [&](const Vector& y) {
      listed.push_back(y);
      return Integer(level);
    });
    if (!listing.complete) continue;  // not concave
    ++complete;
    std::vector<Vector> truth;
    for_each_vector(box, [&](const Vector& y) {
      if (value(quadratic, y) > level) truth.push_back(y);
    });
    std::sort(listed.begin(), listed.end());
    std::sort(truth.begin(), truth.end());
    EXPECT_EQ(listed, truth);
  }
  EXPECT_GE(complete, 100u);
}

TEST(LatticePoints, RunOutOfPatience) {
  const Majorant quadratic{{0, 0}, 100, {0, 0}, {-1, -1}, std::vector<Integer>(4)};
  const VectorBox box{{-9, -9}, {9, 9}};
  const auto found = [](const Vector&) { return Integer(0); };
  EXPECT_FALSE(list_above(quadratic, box, 0, 20, found).complete);
  EXPECT_EQ(list_above(quadratic, box, 0, 20, found).steps, 20u);
  EXPECT_TRUE(list_above(quadratic, box, 0, 1000, found).complete);
}

TEST(LatticePoints, OfAQuadraticThatIsNotConcaveAreNotListed) {
  Majorant saddle{{0, 0}, 0, {1, 1}, {-1, -1}, std::vector<Integer>(4)};
  saddle.twist[1] = saddle.twist[2] = 2;  // flat along (1, 1)
  const auto found = [](const Vector&) { return Integer(0); };
  EXPECT_FALSE(list_above(saddle, {{-3, -3}, {3, 3}}, 0, 1000, found).complete);
  EXPECT_TRUE(list_above(saddle, {{-3, 0}, {3, 0}}, 0, 1000, found).complete);
}

}  // namespace
}  // namespace postern::model
