#include "postern/infer/query.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/study_file.hpp"

namespace postern::infer {
namespace {

model::Study study() {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\n"
      "adjacency = \"replace-one\"\ncurrency = \"pure\"\n"
      "[columns.\"a\"]\ncategories = [\"x\", \"y\", \"p, q\"]\n"
      "[columns.age]\ninteger = [18, 99]\ncuts = [30, 60]\n"
      "[model]\nkind = \"family\"\nfamily = \"categorical\"\ncolumns = [\"a\", \"age\"]\n"
      "prior = { dirichlet = 1 }\n",
      "s.toml");
}

/// Two draws of the nine cells.
Posterior posterior() {
  Posterior out;
  out.chains = 1;
  out.iterations = 2;
  out.draws.emplace_back();
  const double first[9] = {.1, .2, .05, .05, .1, .1, .2, .1, .1};
  for (int cell = 0; cell < 9; ++cell) {
    out.names.push_back("p." + std::to_string(cell + 1));
    out.labels.push_back(out.names.back());
    out.draws[0].push_back(first[cell]);
    out.draws[0].push_back(1.0 / 9);
  }
  return out;
}

std::vector<double> answers(const std::string& text) {
  Posterior out = posterior();
  answer_query(parse_query(text, study()), 1, study(), out);
  EXPECT_EQ(out.names.back(), "query.1");
  return {out.draws[0].end() - 2, out.draws[0].end()};
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_query(text, study());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_option);
    return error.what();
  }
  ADD_FAILURE() << text << " is accepted";
  return {};
}

void expect_answers(const std::string& text, double first, double second) {
  const std::vector<double> found = answers(text);
  EXPECT_NEAR(found[0], first, 1e-15) << text;
  EXPECT_NEAR(found[1], second, 1e-15) << text;
}

TEST(Query, OfProbabilities) {
  expect_answers("P(a = x)", .35, 3.0 / 9);
  expect_answers("P( a = x , age = 30-59 )", .2, 1.0 / 9);
  expect_answers("P(a = \"p, q\" | age = 18-29)", .2 / .35, 1.0 / 3);
  expect_answers("P(a != x)", .65, 6.0 / 9);
}

TEST(Query, OfSetsAndComparisons) {
  expect_answers("P(a in {x, \"p, q\"})", .75, 6.0 / 9);
  expect_answers("P(\"a\" in {y} | age in {18-29, 60-99})", .15 / .6, 1.0 / 3);
  expect_answers("P(age >= 30)", .65, 6.0 / 9);
  expect_answers("P(age > 29)", .65, 6.0 / 9);
  expect_answers("P(age < 60, a = x | age > 29)", .2 / .65, 1.0 / 6);
  expect_answers("P(age <= 59)", .75, 6.0 / 9);
  expect_answers("P(age > 120)", 0, 0);
  expect_answers("P(a = x, a = y)", 0, 0);
}

TEST(Query, OfSumsAndRatios) {
  expect_answers("P(a = x) - P(a = y)", .1, 0);
  expect_answers("P(a = x | age < 30) / P(a = x | age >= 60)", (.1 / .35) / (.05 / .25), 1);
  expect_answers("2 * (P(a = x) + 0.5) - -1", 2.7, 2 * (3.0 / 9 + .5) + 1);
  expect_answers("P(a = x) * P(a = y) / P(a = x)", .25, 3.0 / 9);
}

TEST(Query, SaysWhatIsNotUnderstood) {
  for (const char* text : {"", "P", "P(a)", "P(a = x", "P(a = x) +", "3", "P(a = x) P(a = y)", "(P(a = x)",
                           "P(a = x || age = 18-29)"}) {
    EXPECT_NE(refusal(text).find("is not understood"), std::string::npos) << text << ": " << refusal(text);
  }
  EXPECT_NE(refusal(std::string(500, '(') + "P(a = x)").find("is not understood"), std::string::npos);
  EXPECT_NE(refusal("P(a in x)").find("not a column of the model"), std::string::npos);
  EXPECT_NE(refusal("P(a in {x)").find("not a value of that column"), std::string::npos);
  EXPECT_NE(refusal("P(ag = 18-29)").find("is it 'age'"), std::string::npos);
  EXPECT_NE(refusal("P(a = z)").find("not a value of that column"), std::string::npos);
  EXPECT_NE(refusal("P(age > 30)").find("age >= 30, age >= 60"), std::string::npos);
  EXPECT_NE(refusal("P(age >= 45)").find("inside of level '30-59'"), std::string::npos);
  EXPECT_NE(refusal("P(age > old)").find("no number"), std::string::npos);
  EXPECT_NE(refusal("P(a > 3)").find("no order"), std::string::npos);
  EXPECT_NE(refusal("P(a = x | age = 18-29, age = 30-59)").find("two values"), std::string::npos);
}

TEST(Query, DividesByNothing) {
  Posterior out = posterior();
  const Query query = parse_query("P(a = x) / P(age > 120)", study());
  EXPECT_THROW(answer_query(query, 1, study(), out), Error);
}

model::Study regression() {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\n"
      "adjacency = \"replace-one\"\ncurrency = \"pure\"\n"
      "[columns.age]\ninteger = [18, 99]\nmissing = \"50\"\n"
      "[columns.hours]\ninteger = [0, 80]\nmissing = \"40\"\n"
      "[model]\nkind = \"linear-regression\"\ntarget = \"hours\"\n",
      "s.toml");
}

// Of a model whose parameters are no probabilities of levels, queries are about the parameters.
TEST(Query, AsksForParameters) {
  const auto answer = [](const std::string& text) {
    Posterior out;
    out.chains = 1;
    out.iterations = 2;
    out.names = out.labels = {"beta.1", "beta.2", "sigma"};
    out.draws = {{10, 20, 0.5, -1, 3, 4}};
    answer_query(parse_query(text, regression()), 1, regression(), out);
    return std::vector<double>(out.draws[0].end() - 2, out.draws[0].end());
  };
  EXPECT_EQ(answer("beta.1 + 40 * beta.2"), (std::vector<double>{30, -20}));
  EXPECT_EQ(answer("-(\"slope of age\" - sigma) / 2"), (std::vector<double>{1.25, 2.5}));
  EXPECT_EQ(answer("P(\"slope of age\" > 0)"), (std::vector<double>{1, 0}));
  EXPECT_EQ(answer("P(beta.1 >= 15, sigma < 5)"), (std::vector<double>{0, 1}));
  EXPECT_EQ(answer("1 - P(beta.2 < 0)"), (std::vector<double>{1, 0}));
  for (const char* wrong : {"", "3", "P(beta.2)", "P(beta.2 > 0", "beta.9", "beta.2 >", "\"slope",
                            "P(age > 30)", "beta.1 beta.2", "P(beta.1 > 0 | sigma < 1)"}) {
    EXPECT_THROW((void)parse_query(wrong, regression()), Error) << wrong;
  }
  // Past what a double holds, and what that less itself would be.
  EXPECT_THROW((void)answer("beta.1 * 1e308"), Error);
  EXPECT_THROW((void)answer("beta.1 * 1e308 - beta.1 * 1e308"), Error);
  EXPECT_EQ(answer("P(beta.1 * 1e308 > 1)"), (std::vector<double>{1, 1}));
  EXPECT_THROW((void)parse_query(std::string(100'000, '('), regression()), Error);
  EXPECT_THROW((void)parse_query(std::string(100'000, '-'), regression()), Error);
}

}  // namespace
}  // namespace postern::infer
