#include "postern/model/budget.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/prior_text.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study smokers(const std::string& currency = "pure") {
  return parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\n"
      "adjacency = \"replace-one\"\ncurrency = \"" +
          currency +
          "\"\n[columns.smoker]\ncategories = [\"no\", \"yes\"]\nmissing = \"no\"\n[model]\n"
          "kind = \"family\"\nfamily = \"bernoulli\"\ncolumn = \"smoker\"\n"
          "prior = { beta = [1, 1] }\n",
      "s.toml");
}

template <class Act>
ErrorCode refusal(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "not refused";
  return ErrorCode::internal;
}

ErrorCode refused(const BudgetRequest& request, const std::string& currency = "pure") {
  return refusal([&] { (void)plan_for(request, smokers(currency)); });
}

TEST(Budget, PlansWhatIsAskedFor) {
  const NoisePlan plan = plan_for({"0.1", {}, {}}, smokers());
  EXPECT_EQ(plan.cost, Spend::parse(Currency::pure, "0.1"));
  EXPECT_EQ(plan.request.mechanism, Mechanism::laplace);
  EXPECT_EQ(plan_for({{}, "0.1", {}}, smokers("zcdp")).request.mechanism, Mechanism::gaussian);
}

TEST(Budget, RefusesWhatProtectsNoOneOrIsAmbiguous) {
  EXPECT_EQ(refused({}), ErrorCode::usage);
  EXPECT_EQ(refused({"1", "1", {}}), ErrorCode::usage);
  EXPECT_EQ(refused({{}, "1", {}}), ErrorCode::currency_mismatch);
  EXPECT_EQ(refused({"1", {}, {}}, "zcdp"), ErrorCode::currency_mismatch);
  for (const char* text : {"0", "-1", "", "1e4", "1000.000000001", "nan"})
    EXPECT_EQ(refused({text, {}, {}}), ErrorCode::bad_budget) << text;
  EXPECT_EQ(refused({"1", {}, "laplas"}), ErrorCode::bad_option);
  EXPECT_EQ(refused({"1", {}, "gaussian"}), ErrorCode::currency_mismatch);
}

TEST(Budget, KnowsALargeAmount) {
  EXPECT_FALSE(is_large(parse_amount(Currency::pure, "epsilon", "10")));
  EXPECT_TRUE(is_large(parse_amount(Currency::pure, "epsilon", "10.000000001")));
}

TEST(PriorText, ReadsWordsAndNumbers) {
  const std::vector<Rational> wanted{Rational(1, 2), 2};
  for (const char* text : {"beta 0.5 2", "0.5, 2", "beta(0.5, 2)", "[0.5, 2]"})
    EXPECT_EQ(parse_prior(text, smokers()), wanted) << text;
}

TEST(PriorText, ReadsNumbersAsAmountsAreWritten) {
  EXPECT_EQ(parse_prior("beta .5 2e0", smokers()), (std::vector<Rational>{Rational(1, 2), 2}));
  EXPECT_EQ(parse_prior("1e-3, 1.5E+2", smokers()), (std::vector<Rational>{Rational(1, 1000), 150}));
}

TEST(PriorText, RefusesWhatIsNoPrior) {
  for (const char* text : {"", "beta", "beta 1", "beta 1 2 3", "beta 0 1", "gamma 1 1", "beta 1 x",
                           "beta 1 1e", "beta 1 1e-10", "beta 1 1e10", "beta 1 1e999", "beta 1 ."})
    EXPECT_EQ(refusal([&] { (void)parse_prior(text, smokers()); }), ErrorCode::bad_prior) << text;
}

}  // namespace
}  // namespace postern::model
