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

TEST(PublicRows, AreEncodedAsTheStudySays) {
  const model::Study table =
      study("family = \"categorical\"\ncolumns = [\"a\", \"b\"]\nprior = { dirichlet = 1 }\n");
  const PublicCounts counts = count_public_rows(
      {{"no", "yes", std::nullopt, "yes", "yes"}, {"0", "7", "1", std::nullopt, "x"}}, table);
  EXPECT_EQ(counts.counts, (std::vector<std::int64_t>{1, 0, 0, 0, 0, 3}));
  EXPECT_THROW((void)count_public_rows({{"no"}}, table), Error);
  EXPECT_THROW((void)count_public_rows({{"no"}, {}}, table), Error);
}

TEST(PublicRows, OfABernoulliAreFailuresThenSuccesses) {
  const model::Study no =
      study("family = \"bernoulli\"\ncolumn = \"a\"\nsuccess = \"no\"\nprior = { beta = [1, 1] }\n");
  EXPECT_EQ(count_public_rows({{"no", "no", "yes"}}, no).counts, (std::vector<std::int64_t>{1, 2}));
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
