#include "postern/infer/public_rows.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/engine_choice.hpp"
#include "postern/model/study_file.hpp"

namespace postern::infer {
namespace {

model::Study study(const std::string& model) {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\n"
      "adjacency = \"add-remove\"\nn = { at_most = 9 }\ncurrency = \"pure\"\n"
      "[columns.a]\ncategories = [\"no\", \"yes\"]\nmissing = \"drop\"\n"
      "[columns.b]\ninteger = [0, 2]\nmissing = \"2\"\noutside = \"clamp\"\n[model]\nkind = \"family\"\n" +
          model,
      "s.toml");
}

std::vector<std::int64_t> counts(const std::vector<PublicColumn>& columns, const model::Study& study) {
  return std::get<PublicCounts>(read_public_rows(columns, study)).counts;
}

ErrorCode refusal(const std::vector<PublicColumn>& columns, const model::Study& study) {
  try {
    (void)read_public_rows(columns, study);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(PublicRows, OfATableAreEncodedAsTheStudySays) {
  const model::Study table =
      study("family = \"categorical\"\ncolumns = [\"a\", \"b\"]\nprior = { dirichlet = 1 }\n");
  EXPECT_EQ(counts({{"no", "yes", std::nullopt, "yes", "yes"}, {"0", "7", "1", std::nullopt, "x"}}, table),
            (std::vector<std::int64_t>{1, 0, 0, 0, 0, 3}));
  EXPECT_EQ(refusal({{"no"}}, table), ErrorCode::bad_option);
  EXPECT_EQ(refusal({{"no"}, {}}, table), ErrorCode::bad_option);
}

TEST(PublicRows, TellWhichValuesAreNotDeclared) {
  const model::Study table =
      study("family = \"categorical\"\ncolumns = [\"a\", \"b\"]\nprior = { dirichlet = 1 }\n");
  const auto told = [&](const std::vector<PublicColumn>& columns) {
    return public_row_warnings(read_public_rows(columns, table));
  };
  EXPECT_TRUE(told({{"no", "yes", std::nullopt, ""}, {"0", "7", "-3", "2"}}).empty());
  const std::vector<Warning> found =
      told({{"no", "Yes", "No", "Yes", " yes "}, {"0", "one", "1.5", "1", "\x1b[2J"}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "public-rows-undeclared");
  EXPECT_NE(found[0].text.find("3 of 5"), std::string::npos) << found[0].text;
  EXPECT_NE(found[0].text.find("'Yes' (2), 'No' (1); their rows are left out"), std::string::npos)
      << found[0].text;
  EXPECT_NE(found[1].text.find("'\\u001b[2J' (1)"), std::string::npos) << found[1].text;
  EXPECT_NE(found[1].text.find("they count as '2'"), std::string::npos) << found[1].text;
  EXPECT_EQ(refusal({{"No", "Yes"}, {"0", "1"}}, table), ErrorCode::bad_option);
  EXPECT_TRUE(told({{}, {}}).empty());
}

TEST(PublicRows, ToldAreBounded) {
  const model::Study table =
      study("family = \"categorical\"\ncolumns = [\"a\"]\nprior = { dirichlet = 1 }\n");
  PublicColumn many{"no"};
  for (int i = 0; i < 5000; ++i) many.emplace_back(std::string(200, 'x') + std::to_string(i));
  const auto found = public_row_warnings(read_public_rows({many}, table));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].text.find("5000 of 5001"), std::string::npos);
  EXPECT_LT(found[0].text.size(), 700U);
}

TEST(PublicRows, OfABernoulliAreInTheOrderOfLevelsWhicheverIsTheSuccess) {
  for (const char* success : {"no", "yes"}) {
    const model::Study coin = study(std::string("family = \"bernoulli\"\ncolumn = \"a\"\nsuccess = \"")
                                        .append(success)
                                        .append("\"\nprior = { beta = [1, 1] }\n"));
    EXPECT_EQ(counts({{"no", "no", "yes"}}, coin), (std::vector<std::int64_t>{2, 1}));
  }
}

// b is declared 0..2, and 7 is 7 all the same.
TEST(PublicRows, OfANumberAreSummedAsTheyAre) {
  const model::Study poisson = study("family = \"poisson\"\ncolumn = \"b\"\nprior = { gamma = [2, 1] }\n");
  const auto rows = std::get<PublicSums>(
      read_public_rows({{"0", "7", " +1 ", "2.0", std::nullopt, "", "x", "nan", "1e400"}}, poisson));
  EXPECT_EQ(rows.sums.n, 4);
  EXPECT_EQ(rows.sums.t, 10);
  EXPECT_EQ(rows.sums.squares, 54);
  EXPECT_EQ(rows.left_out, 5);
  EXPECT_EQ(refusal({{"0.5"}}, poisson), ErrorCode::bad_option);
  EXPECT_EQ(refusal({{"-1"}}, poisson), ErrorCode::bad_option);
  EXPECT_EQ(refusal({{"x", ""}}, poisson), ErrorCode::bad_option);
}

TEST(EngineChoice, KnowsItsNames) {
  EXPECT_EQ(parse_engine("auto"), EngineChoice::automatic);
  EXPECT_EQ(parse_engine("exact"), EngineChoice::exact);
  EXPECT_EQ(parse_engine("gibbs"), EngineChoice::gibbs);
  EXPECT_EQ(parse_engine("naive"), EngineChoice::naive);
  EXPECT_THROW((void)parse_engine("Exact"), Error);
}

}  // namespace
}  // namespace postern::infer
