#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "refusal.hpp"
#include "regression_studies.hpp"
#include "releases.hpp"

// Documents of linear regressions: sums of products of their columns, and hostile ones.

namespace postern::release {
namespace {

using testing::make_release;
using testing::replaced;

/// One number and one category of three levels under replace-one: eleven sums.
Release line_release() {
  const model::Study study =
      model::regression_study({{5}, {3}, 5, 2, true}, model::Adjacency::replace_one, Currency::pure);
  return make_release(study, "0.5", {3, -7, 5, 2, 9, 8, -1, 4, 6, -2, 1});
}

std::string failures(const Release& release) {
  std::string names;
  for (const Check& check : verify(release)) {
    if (!check.passed) names += (names.empty() ? "" : " ") + check.name;
  }
  return names;
}

TEST(RegressionDocument, IsReadAsItWasWritten) {
  const std::string text = to_document(line_release());
  EXPECT_EQ(to_document(parse_document(text)), text);
  EXPECT_EQ(failures(parse_document(text)), "");
  EXPECT_NE(
      text.find(
          R"({"centred":false,"features":["x0","c1"],"kind":"moments","part":"xx","steps":2,"target":"y"})"),
      std::string::npos);
}

TEST(RegressionDocument, RefusesWhatCannotBe) {
  const std::string text = to_document(line_release());
  const auto refuses = [&](const std::string& from, const std::string& to, ErrorCode code) {
    SCOPED_TRACE(from + " -> " + to);
    EXPECT_REFUSAL(parse_document(replaced(text, from, to)), code);
  };
  refuses(R"("part":"xx")", R"("part":"zz")", ErrorCode::release_malformed);
  refuses(R"("kind":"moments","part":"xx","steps":2)", R"("kind":"moments","part":"xx","steps":3)",
          ErrorCode::release_inconsistent);
  refuses(R"("features":["x0","c1"],"kind":"moments","part":"xx")",
          R"("features":["x0","y"],"kind":"moments","part":"xx")", ErrorCode::release_inconsistent);
  refuses(R"("features":["x0","c1"],"kind":"moments","part":"xx")",
          R"("features":[],"kind":"moments","part":"xx")", ErrorCode::release_inconsistent);
}

// A document whose noise is too small for what it claims, by a fault or by intent.
TEST(RegressionDocument, VerifySeesOtherNoiseAndOtherParts) {
  Release release = line_release();
  release.blocks[4].block.noise.parameter *= 2;
  EXPECT_NE(failures(release).find("cost"), std::string::npos);
  release = line_release();
  release.blocks.erase(release.blocks.begin() + 4);
  EXPECT_NE(failures(release).find("noise"), std::string::npos);
}

}  // namespace
}  // namespace postern::release
