#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "number_gibbs_support.hpp"

// No NaN, no hang, no crash: whatever is released, and whatever the prior.

namespace postern::infer {
namespace {

const std::vector<double> kEpsilons = {1e-6, 1, 1e3};
const std::vector<double> kReleased = {-1e15, 37, 1e15};

template <class K>
void expect_alive(const K& kernel, const std::string& what) {
  Rng rng(20261116, 3, Purpose::test);
  typename K::State state = kernel.init(rng);
  std::vector<double> out(kernel.quantities());
  for (int i = 0; i < 10; ++i) {
    kernel.step(state, rng);
    kernel.read(state, out);
    for (const double value : out) ASSERT_TRUE(std::isfinite(value)) << what;
  }
}

std::string describe(const std::string& name, double n, double epsilon, double y, double shape) {
  return name + ": n " + std::to_string(n) + ", epsilon " + std::to_string(epsilon) + ", y " +
         std::to_string(y) + ", shape " + std::to_string(shape);
}

TEST(GibbsHostile, MeanAndVariance) {
  for (const double shape : {1e-3, 1e6}) {
    NumberProblem normal =
        number_problem("normal", {}, real_column(-3, 3, Rational("1/4")), {0, shape, shape, shape});
    NumberProblem wide = number_problem("log-normal", {}, real_column(1, 100, 1), {0, shape, shape, shape});
    NumberProblem dropping = number_problem("normal", {}, real_column(-3, 3, Rational("1/4"), model::Drop{}),
                                            {0, shape, shape, shape});
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1'000'000'000}}) {
      for (const double epsilon : kEpsilons) {
        for (const double y : kReleased) {
          const std::string what = describe("", static_cast<double>(n), epsilon, y, shape);
          for (const bool latent : {false, true}) {
            for (NumberProblem* problem : {&normal, &wide, &dropping}) {
              problem->sums = {laplace(y, 3 / epsilon)};
              if (latent) {
                problem->total = LatentTotal{n};
                problem->counts = {laplace(y, 3 / epsilon)};
              } else {
                problem->total = KnownTotal{n};
                problem->counts.clear();
              }
            }
            normal.square_sums = {laplace(-y, 30 / epsilon)};
            wide.square_sums = {laplace(y, 1e6 / epsilon)};
            dropping.square_sums = normal.square_sums;
            expect_alive(JointSquares(normal), "normal" + what);
            expect_alive(JointSquares(wide), "log-normal" + what);
            if (epsilon != 1 || y != 1e15 || (shape < 1 && (n != 1 || latent))) continue;
            expect_alive(JointSquares(dropping), "normal, dropped" + what);
            expect_alive(JointSquares({normal, dropping}), "normal, two sets" + what);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
