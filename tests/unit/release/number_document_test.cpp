#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "refusal.hpp"
#include "releases.hpp"

// Documents of families of numbers: sums of levels, named by their transform.

namespace postern::release {
namespace {

using testing::lengths_release;
using testing::losses_release;
using testing::replaced;

std::string failures(const Release& release) {
  std::string names;
  for (const Check& check : verify(release)) {
    if (!check.passed) names += (names.empty() ? "" : " ") + check.name;
  }
  return names;
}

class NumberDocument : public ::testing::Test {
 protected:
  void refuses(const std::string& text, const std::string& from, const std::string& to,
               ErrorCode code) const {
    SCOPED_TRACE(from + " -> " + to.substr(0, 80));
    EXPECT_REFUSAL(parse_document(replaced(text, from, to)), code);
  }
  const std::string lengths = to_document(lengths_release());
  const std::string losses = to_document(losses_release());
  const std::string sum = R"("kind":"sum","of":"identity","power":1)";
  const std::string squares = R"("kind":"sum","of":"identity","power":2)";
  const std::string logs = R"("kind":"sum","of":"log","power":1)";
};

TEST_F(NumberDocument, SaysWhatWasSummed) {
  EXPECT_NE(lengths.find(sum), std::string::npos);
  EXPECT_NE(lengths.find(squares), std::string::npos);
  EXPECT_NE(losses.find(logs), std::string::npos);
  EXPECT_NE(losses.find(R"({"kind":"record-count"})"), std::string::npos);
  EXPECT_NE(losses.find(R"("known":{"minimum":"1"})"), std::string::npos);
  for (const std::string& text : {lengths, losses}) {
    EXPECT_EQ(to_document(parse_document(text)), text);
    EXPECT_EQ(failures(parse_document(text)), "");
  }
}

TEST_F(NumberDocument, CutShortAnywhere) {
  for (const std::string& whole : {lengths, losses}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_THROW(static_cast<void>(parse_document(whole.substr(0, size))), Error) << size;
  }
}

TEST_F(NumberDocument, SumsThatAreNone) {
  refuses(lengths, squares, R"("kind":"sum","of":"identity","power":3)", ErrorCode::release_limit);
  refuses(lengths, squares, R"("kind":"sum","of":"identity","power":0)", ErrorCode::release_limit);
  refuses(lengths, squares, R"("kind":"mirrored-sum","of":"identity","power":2)",
          ErrorCode::release_inconsistent);
  refuses(lengths, sum, R"("kind":"sum","of":"sine","power":1)", ErrorCode::release_malformed);
  refuses(lengths, sum, R"("kind":"sum","power":1)", ErrorCode::release_malformed);
  refuses(lengths, sum, R"("kind":"summe","of":"identity","power":1)", ErrorCode::release_malformed);
  refuses(losses, R"({"kind":"record-count"})", R"({"column":"loss","kind":"record-count"})",
          ErrorCode::release_malformed);
}

// Transforms that do not rise on the column have no sensitivity that the argument covers.
TEST_F(NumberDocument, TransformsThatDoNotSuitTheColumn) {
  refuses(lengths, sum, R"("kind":"sum","of":"log","power":1)", ErrorCode::release_inconsistent);
  for (const char* power : {"2", "3", "1/2"}) {
    refuses(lengths, sum, R"("kind":"sum","of":{"power":")" + std::string(power) + R"("},"power":1)",
            ErrorCode::release_inconsistent);
  }
  refuses(losses, logs, R"("kind":"sum","of":{"power":"0"},"power":1)", ErrorCode::release_inconsistent);
  refuses(losses, logs, R"("kind":"sum","of":{"power":"-1"},"power":1)", ErrorCode::release_inconsistent);
  refuses(losses, logs, R"("kind":"sum","of":{"power":"1000"},"power":1)", ErrorCode::release_inconsistent);
}

TEST_F(NumberDocument, StudiesThatCouldNotBeReleased) {
  refuses(losses, R"("minimum":"1")", R"("maximum":"1")", ErrorCode::release_malformed);
  refuses(losses, R"("known":{"minimum":"1"})", R"("known":{})", ErrorCode::release_malformed);
  refuses(losses, R"("gamma":["2","1"])", R"("gamma":["2"])", ErrorCode::release_inconsistent);
  refuses(losses, R"("gamma":["2","1"])", R"("gamma":["2","0"])", ErrorCode::release_inconsistent);
  refuses(losses, R"("gamma":["2","1"])", R"("beta":["2","1"])", ErrorCode::release_malformed);
  refuses(losses, R"("real":["1","1000"])", R"("real":["0","1000"])", ErrorCode::release_inconsistent);
  refuses(losses, R"("family":"pareto")", R"("family":"poisson")", ErrorCode::release_malformed);
}

// Each is looked at level by level: a document may not ask for thousands.
TEST_F(NumberDocument, TooManySums) {
  Release release = lengths_release();
  const auto block = release.blocks.front();
  while (release.blocks.size() < 17) release.blocks.push_back(block);
  EXPECT_THROW(static_cast<void>(to_document(release)),
               Error);  // its sensitivity: too many sums of one column
  release.sensitivity = 1;
  EXPECT_EQ(failures(parse_document(to_document(release))), "sensitivity cost shape noise");
  while (release.blocks.size() < 65) release.blocks.push_back(block);
  EXPECT_REFUSAL(parse_document(to_document(release)), ErrorCode::release_limit);
}

TEST_F(NumberDocument, VerifyCatchesSumsThatWereNotPaidFor) {
  Release release = lengths_release();
  release.blocks.pop_back();  // the squares: published elsewhere, perhaps
  EXPECT_EQ(failures(release), "cost shape noise");
  release = lengths_release();
  std::swap(release.blocks[0].block.noise, release.blocks[1].block.noise);
  EXPECT_EQ(failures(release), "cost noise");
  release = lengths_release();
  release.study.schema =
      model::Schema({{"mm", model::RealRange{-30, 30, Rational(1, 2), {}}, model::MapTo{6}}});
  EXPECT_EQ(failures(release), "cost noise");  // a wider range than the noise was made for
  release = losses_release();
  release.blocks.pop_back();  // n
  EXPECT_EQ(failures(release), "cost shape noise");
}

}  // namespace
}  // namespace postern::release
