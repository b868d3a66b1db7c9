#include <cmath>
#include <ostream>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_problems.hpp"

// No NaN, no hang, no crash: whatever is released, however many records, whatever the noise, the column's
// policy and the prior. The answer is finite, in order and where its parameter can be, or a refusal that says
// why; where nothing was learnt it is the prior.

namespace postern::infer {
namespace {

using model::IntegerRange;
using model::RealRange;

std::vector<NumberShape> families() {
  const RealRange reals{0, 10, 1, {}};
  return {{"binomial", {6}, IntegerRange{0, 6, {}}, {}},
          {"poisson", {}, IntegerRange{0, 30, {}}, {}},
          {"poisson", {}, IntegerRange{3, 30, {}}, {}},
          {"geometric", {}, IntegerRange{0, 30, {}}, {}},
          {"negative-binomial", {Rational(1, 2)}, IntegerRange{0, 30, {}}, {}},
          {"exponential", {}, reals, {}},
          {"gamma", {Rational(5, 2)}, reals, {}},
          {"normal-mean", {4}, RealRange{-10, 10, 1, {}}, {}},
          {"pareto", {1}, RealRange{1, 10, 1, {}}, {}},
          {"weibull", {3}, reals, {}},
          {"rayleigh", {}, reals, {}},
          {"half-normal", {}, reals, {}},
          {"maxwell", {}, reals, {}}};
}

/// Noise, and what becomes of records outside of the bounds.
enum class Kind { laplace, gaussian, mapped, dropped, gaussian_dropped };
bool has_gaussian_noise(Kind kind) { return kind == Kind::gaussian || kind == Kind::gaussian_dropped; }
model::Policy policy(Kind kind) {
  if (kind == Kind::mapped) return model::MapTo{2};
  if (kind == Kind::dropped || kind == Kind::gaussian_dropped) return model::Drop{};
  return model::Clamp{};
}
/// For traces.
const char* name(Kind kind) {
  constexpr const char* kNames[] = {"laplace", "gaussian", "mapped", "dropped", "gaussian, dropped"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Where the released sum lies: a number, or what all records add at a bound.
enum class Place { far_below, far_above, small, zero, lowest, highest };
double released(Place place, const NumberProblem& problem, double n) {
  const auto& adds = problem.number.values.adds;
  switch (place) {
    case Place::far_below:
      return -1e15;
    case Place::far_above:
      return 1e15;
    case Place::small:
      return 37;
    case Place::lowest:
      return n * static_cast<double>(adds.front());
    case Place::highest:
      return n * static_cast<double>(adds.back());
    case Place::zero:
      break;
  }
  return 0;
}

bool in_space(const NumberProblem& problem, double theta) {
  const auto space = problem.law->space(0);
  return std::isfinite(theta) && (space == model::ParameterSpace::real || theta >= 0) &&
         (space != model::ParameterSpace::unit || theta <= 1);
}

/// Says whether there was an answer.
bool expect_sound(const NumberProblem& problem, bool nothing_learnt) {
  try {
    const NumberPosterior posterior(problem, 1);
    EXPECT_TRUE(in_space(problem, posterior.mean())) << posterior.mean();
    EXPECT_TRUE(std::isfinite(posterior.sd()) && posterior.sd() >= 0) << posterior.sd();
    double before = -HUGE_VAL;
    for (const double p : {0.05, 0.5, 0.95}) {
      const double at = posterior.quantile(p);
      EXPECT_TRUE(in_space(problem, at) && at >= before) << p << " " << at;
      before = at;
    }
    EXPECT_TRUE(std::isfinite(posterior.log_evidence()) || posterior.log_evidence() < 0);
    const auto* latent = std::get_if<LatentTotal>(&problem.total);
    const std::int64_t most = latent != nullptr ? latent->at_most : std::get<KnownTotal>(problem.total).n;
    const NumberPosterior::TotalSummary total = posterior.total();
    EXPECT_TRUE(total.mean >= 0 && total.mean <= static_cast<double>(most) * (1 + 1e-12)) << total.mean;
    EXPECT_TRUE(total.sd >= 0 && total.sd <= static_cast<double>(most)) << total.sd;
    Rng rng(20261116, 3, Purpose::test);
    std::int64_t n = -1;
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(in_space(problem, posterior.draw({&n, 1}, rng)));
      EXPECT_GE(n, 0);
      EXPECT_LE(n, most);
    }
    if (!nothing_learnt) return true;
    constexpr std::size_t kDraws = 300;
    std::vector<double> u(kDraws);
    for (double& x : u) x = posterior.cdf(problem.law->draw_theta(problem.prior, rng)[0]);
    EXPECT_LT(assess::ks_uniform(u), 2.70 / std::sqrt(double{kDraws}));  // alpha = 1e-6
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
    return false;
  }
}

struct Numbers {
  double epsilon;
  Place place;
  double prior;
};

struct Size {
  std::int64_t n;
  bool at_length = false;

  friend std::ostream& operator<<(std::ostream& out, const Size& size) { return out << size.n; }
};

/// All of them where they are quick, or where there is time.
std::vector<Numbers> numbers_for(const Size& size) {
  const std::vector<Numbers> few{
      {1, Place::far_above, 1}, {1e3, Place::small, 1}, {1e3, Place::highest, 1}, {1e-6, Place::small, 1}};
  const std::vector<Numbers> all{
      {1e-6, Place::far_below, 1},   {1e-6, Place::far_above, 1e6}, {1e-6, Place::small, 1e-3},
      {1e-6, Place::lowest, 1},      {1, Place::far_below, 1e-3},   {1, Place::far_above, 1},
      {1, Place::small, 1e6},        {1, Place::highest, 1e-3},     {1e3, Place::far_below, 1e6},
      {1e3, Place::far_above, 1e-3}, {1e3, Place::small, 1},        {1e3, Place::zero, 1},
      {1e3, Place::lowest, 1},       {1e3, Place::highest, 1}};
  return size.n <= 1 || size.at_length ? all : few;
}

class NumberExactHostile : public testing::TestWithParam<std::tuple<Size, Kind>> {
 protected:
  static void try_all(bool latent) {
    const auto& [size, kind] = GetParam();
    int answers = 0;
    int refusals = 0;
    std::vector<NumberShape> shapes = families();
    if (size.n > 1000 && !size.at_length) shapes = {shapes[1], shapes[5]};
    for (NumberShape& shape : shapes) {
      if (shape.family == "binomial" && kind != Kind::laplace && kind != Kind::gaussian) continue;
      for (const auto& [epsilon, place, prior] : numbers_for(size)) {
        shape.prior = {shape.family == "normal-mean" ? 0 : prior, prior, 0, 0};
        shape.outside = policy(kind);
        NumberProblem problem = number_problem(shape);
        const auto records = static_cast<double>(size.n);
        const double y = released(place, problem, records);
        SCOPED_TRACE(testing::Message() << shape.family << ", " << name(kind) << ", epsilon " << epsilon
                                        << ", y " << y << ", prior " << prior << (latent ? ", latent" : ""));
        const auto range =
            static_cast<double>(problem.number.values.adds.back() - problem.number.values.adds.front());
        const auto noise = [&](double scale) -> release::NoiseLaw {
          if (has_gaussian_noise(kind)) return release::DiscreteGaussian(scale * scale);
          return release::DiscreteLaplace(1 / scale);
        };
        problem.sums = {{y, noise(range / epsilon)}};
        problem.total = KnownTotal{size.n};
        if (latent) {
          problem.total = LatentTotal{size.n, 0};
          problem.counts = {{std::abs(y), noise(1 / epsilon)}};
        }
        // No records, or a likelihood that differs by less than e^-0.001 over all that they can add up to.
        const bool flat = records <= 100 && epsilon < 1e-5 && !has_gaussian_noise(kind);
        // Half of the mass of Gamma(1e-3) lies at thetas that no double tells apart.
        const bool nothing_learnt = prior >= 1 && (size.n == 0 || (flat && !latent));
        (expect_sound(problem, nothing_learnt) ? answers : refusals) += 1;
      }
    }
    EXPECT_GT(answers, 0);
    RecordProperty("refusals", refusals);
  }
};

TEST_P(NumberExactHostile, KnownTotal) { try_all(false); }
TEST_P(NumberExactHostile, LatentTotal) { try_all(true); }

const auto kKinds =
    testing::Values(Kind::laplace, Kind::gaussian, Kind::mapped, Kind::dropped, Kind::gaussian_dropped);
INSTANTIATE_TEST_SUITE_P(All, NumberExactHostile,
                         testing::Combine(testing::Values(Size{0}, Size{1}, Size{100}, Size{1'000'000'000}),
                                          kKinds));
INSTANTIATE_TEST_SUITE_P(Long, NumberExactHostile,
                         testing::Combine(testing::Values(Size{100, true}, Size{1'000'000, true},
                                                          Size{1'000'000'000, true}),
                                          kKinds));

}  // namespace
}  // namespace postern::infer
