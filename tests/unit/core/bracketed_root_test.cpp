#include "postern/core/bracketed_root.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace postern {
namespace {

template <class Function>
double root_of(const Function& f, double lo, double hi) {
  return bracketed_root(f, {lo, hi, f(lo), f(hi)}, 1e-12);
}

TEST(BracketedRoot, IsFoundWhicheverWayTheFunctionGoes) {
  EXPECT_NEAR(root_of([](double x) { return x * x - 2; }, 0, 2), std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(root_of([](double x) { return 2 - x * x; }, 0, 2), std::sqrt(2.0), 1e-12);
}

// Where false position alone would move one end by next to nothing each time.
TEST(BracketedRoot, TakesFewStepsForAStep) {
  int calls = 0;
  const auto steep = [&](double x) {
    ++calls;
    return std::tanh(1e6 * (x - 0.7312345));
  };
  EXPECT_NEAR(root_of(steep, 0, 1), 0.7312345, 1e-12);
  EXPECT_LT(calls, 120);
  calls = 0;
  const auto flat = [&](double x) {
    ++calls;
    return std::pow(x, 25) - 1e-9;
  };
  EXPECT_NEAR(root_of(flat, 0, 1), std::pow(1e-9, 1.0 / 25), 1e-12);
  EXPECT_LT(calls, 120);
}

}  // namespace
}  // namespace postern
