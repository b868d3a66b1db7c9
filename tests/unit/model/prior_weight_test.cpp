// How many records a prior is worth: what as many records add to it.

#include <gtest/gtest.h>

#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/study.hpp"

#include "number_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

namespace postern::model {
namespace {

double prior_records(const Model& model) { return model.kind().prior_records(model); }
std::vector<Rational> scaled_prior(const Model& model, const Rational& factor) {
  return model.kind().scaled_prior(model, factor);
}
Model with_numbers(const Model& model, const std::vector<Rational>& prior) {
  return model.kind().with_prior(model, prior);
}

TEST(PriorWeight, OfATableIsTheSumOfItsCounts) {
  EXPECT_EQ(prior_records(small_study({.levels = 2, .prior = 3}).model), 6);
  EXPECT_EQ(prior_records(small_study({.levels = 50, .prior = Rational(1, 2)}).model), 25);
  EXPECT_EQ(scaled_prior(small_study({.levels = 3, .prior = 4}).model, Rational(1, 2)),
            (std::vector<Rational>{2, 2, 2}));
}

// A prior worth m records, updated with m records, is worth 2 m, whatever the records are.
TEST(PriorWeight, OfANumberGrowsWithEveryRecord) {
  for (const NumberFamily& family : number_families()) {
    const NumberRange range = coarse_ranges(family).front();
    Number model = number_model(family, range);
    const auto law = family.law(model.known);
    const double before = prior_records(model);
    EXPECT_GT(before, 0) << family.name;
    Hyper prior{};
    for (std::size_t i = 0; i < model.prior.size(); ++i) prior[i] = model.prior[i].get_d();
    Rng rng(3, 0, Purpose::test);
    Sums sums;
    const Theta theta = law->draw_theta(prior, rng);
    for (int i = 0; i < 5; ++i) {
      const double t = law->draw(theta, rng);
      sums = {sums.n + 1, sums.t + t, sums.squares + t * t};
    }
    const Hyper after = law->update(prior, sums);
    for (std::size_t i = 0; i < model.prior.size(); ++i) model.prior[i] = Rational(after[i]);
    EXPECT_NEAR(prior_records(model), before + 5, 1e-6) << family.name;
  }
}

TEST(PriorWeight, IsScaledAsAskedAndTheCentreStays) {
  for (const NumberFamily& family : number_families()) {
    const Number model = number_model(family, coarse_ranges(family).front());
    for (const Rational& factor : {Rational(1, 2), Rational(2)}) {
      const Model other = with_numbers(model, scaled_prior(model, factor));
      EXPECT_NEAR(prior_records(other), factor.get_d() * prior_records(model), 1e-12) << family.name;
    }
  }
  const Study pair = vector_study({{0, 4}, {-2, 2}}, Adjacency::replace_one, Currency::pure);
  for (const Rational& factor : {Rational(1, 2), Rational(2)}) {
    Study other = pair;
    other.model = with_numbers(pair.model, scaled_prior(pair.model, factor));
    EXPECT_NO_THROW(check_study(other));
    const auto& before = pair.model.get<MultivariateNormal>();
    const auto& after = other.model.get<MultivariateNormal>();
    EXPECT_EQ(after.weight, before.weight * factor);
    EXPECT_EQ(after.mean, before.mean);
    EXPECT_EQ(after.scale[0] * before.degrees, before.scale[0] * after.degrees);
  }
}

}  // namespace
}  // namespace postern::model
