#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "postern/infer/augment/level_finder.hpp"

namespace postern::infer {
namespace {

using model::Transform;

model::EncodedNumber encode(model::Values values, const Transform& transform = {},
                            model::Policy outside = model::Clamp{}) {
  model::Column column;
  column.name = "x";
  column.values = std::move(values);
  column.outside = outside;
  return model::encoded_number(column, transform);
}

void expect_same(const model::EncodedNumber& number, double t, const LevelFinder& finder) {
  const auto level = static_cast<std::size_t>(number.level_of(t));
  ASSERT_EQ(finder.adds(t), number.values.adds[level]) << "t = " << t;
}

void expect_same_together(const std::vector<double>& places, const LevelFinder& finder) {
  std::vector<std::int32_t> found(places.size());
  finder.adds(places, found.data());
  for (std::size_t i = 0; i < places.size(); ++i) ASSERT_EQ(found[i], finder.adds(places[i])) << places[i];
}

/// Everywhere: at the edges, next to them, far outside, and at random.
void expect_same_map(const model::EncodedNumber& number) {
  const LevelFinder finder(number);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  for (const double t : {-kFar, kFar, -1e300, 1e300, 0.0, -0.0}) expect_same(number, t, finder);
  const std::size_t stride = 1 + number.edges.size() / 5000;
  for (std::size_t i = 0; i < number.edges.size(); i += stride) {
    const double edge = number.edges[i];
    for (const double t : {std::nextafter(edge, -kFar), edge, std::nextafter(edge, kFar)})
      expect_same(number, t, finder);
  }
  Rng rng(1, 0, Purpose::test);
  const double width = number.edges.back() - number.edges.front();
  for (int i = 0; i < 20'000; ++i)
    expect_same(number, number.edges.front() + (1.2 * rng.uniform() - 0.1) * width, finder);
  for (const std::size_t count : {0u, 3u, 64u, 1001u}) {
    std::vector<double> places{number.edges[number.edges.size() / 2], -kFar, kFar};
    for (std::size_t i = 0; i < count; ++i)
      places.push_back(number.edges.front() + (1.2 * rng.uniform() - 0.1) * width);
    expect_same_together(places, finder);
  }
  EXPECT_EQ(finder.least(), number.values.adds.front());
  EXPECT_EQ(finder.most(), number.values.adds.back());
}

TEST(LevelFinder, IsLevelOfOnWholeNumbers) {
  expect_same_map(encode(model::IntegerRange{0, 1, {}}));
  expect_same_map(encode(model::IntegerRange{-7, 12, {}}));
  expect_same_map(encode(model::IntegerRange{5, 5, {}}));
  expect_same_map(encode(model::IntegerRange{0, 1'000'000, {}}));
}

TEST(LevelFinder, IsLevelOfOnGrids) {
  expect_same_map(encode(model::RealRange{-3, 3, Rational(1, 10), {}}));
  expect_same_map(encode(model::RealRange{0, 1, Rational(1, 1000), {}}));
  expect_same_map(
      encode(model::RealRange{Rational("1000000000000000"), Rational("1000000000001000"), 1, {}}));
}

TEST(LevelFinder, IsLevelOfUnderATransform) {
  const Transform square{Transform::Kind::power, 2};
  const Transform root{Transform::Kind::power, Rational(1, 2)};
  const Transform log{Transform::Kind::log, 1};
  expect_same_map(encode(model::RealRange{0, 100, Rational(1, 1000), {}}, square));
  expect_same_map(encode(model::RealRange{0, 100, Rational(1, 10), {}}, root));
  expect_same_map(encode(model::RealRange{Rational(1, 100), 1000, Rational(1, 100), {}}, log));
}

TEST(LevelFinder, IsLevelOfWhereOutsideIsMapped) {
  expect_same_map(encode(model::IntegerRange{0, 9, {}}, {}, model::MapTo{4}));
  expect_same_map(encode(model::RealRange{0, 3, Rational(1, 2), {}}, {}, model::MapTo{6}));
}

}  // namespace
}  // namespace postern::infer
