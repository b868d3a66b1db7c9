#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/release/document.hpp"
#include "postern/release/record_set.hpp"
#include "postern/release/verify.hpp"

#include "change_model.hpp"
#include "refusal.hpp"
#include "releases.hpp"
#include "vector_studies.hpp"

// Documents of the multivariate normal: sums, squares and products of its columns.

namespace postern::release {
namespace {

using testing::make_release;
using testing::replaced;

std::string failures(const Release& release) {
  std::string names;
  for (const Check& check : verify(release)) {
    if (!check.passed) names += (names.empty() ? "" : " ") + check.name;
  }
  return names;
}

/// Two columns under replace-one in epsilon, or three under add-remove in rho.
Release pair_release() {
  return make_release(model::vector_study({{-3, 3}, {0, 9}}, model::Adjacency::replace_one, Currency::pure),
                      "0.5", {-4, 17, 60, -5, 99});
}
Release triple_release() {
  return make_release(
      model::vector_study({{-3, 3}, {0, 9}, {5, 8}}, model::Adjacency::add_remove, Currency::zcdp), "0.25",
      {-4, 17, 8, 60, -5, 9, 99, 30, 12, 25});
}

class VectorDocument : public ::testing::Test {
 protected:
  void refuses(const std::string& from, const std::string& to, ErrorCode code) const {
    SCOPED_TRACE(from + " -> " + to);
    EXPECT_REFUSAL(parse_document(replaced(pair, from, to)), code);
  }
  const std::string pair = to_document(pair_release());
  const std::string triple = to_document(triple_release());
  const std::string product = R"({"columns":["a","b"],"kind":"product-sum"})";
};

TEST_F(VectorDocument, SaysWhatWasSummed) {
  EXPECT_NE(pair.find(product), std::string::npos);
  EXPECT_NE(triple.find(R"({"columns":["b","c"],"kind":"product-sum"})"), std::string::npos);
  EXPECT_NE(pair.find(R"("prior":{"normal-inverse-wishart":{"degrees":"4","mean":["1/2","1/2"],)"
                      R"("scale":[["4","1"],["1","4"]],"weight":"2"}})"),
            std::string::npos);
  for (const std::string& text : {pair, triple}) {
    EXPECT_EQ(to_document(parse_document(text)), text);
    EXPECT_EQ(failures(parse_document(text)), "");
  }
}

TEST_F(VectorDocument, CutShortAnywhere) {
  for (std::size_t size = 0; size < pair.size(); ++size)
    EXPECT_THROW(static_cast<void>(parse_document(pair.substr(0, size))), Error) << size;
}

TEST_F(VectorDocument, ProductsThatAreNone) {
  refuses(product, R"({"columns":["a"],"kind":"product-sum"})", ErrorCode::release_malformed);
  refuses(product, R"({"columns":["a","a"],"kind":"product-sum"})", ErrorCode::release_inconsistent);
  refuses(product, R"({"columns":["a","z"],"kind":"product-sum"})", ErrorCode::release_inconsistent);
  refuses(product, R"({"columns":["a","b"],"kind":"product-sum","power":1})", ErrorCode::release_malformed);
}

TEST_F(VectorDocument, StudiesThatCouldNotBeReleased) {
  refuses(R"("degrees":"4")", R"("degrees":"1")", ErrorCode::release_inconsistent);
  refuses(R"(["4","1"],["1","4"])", R"(["1","4"],["4","1"])", ErrorCode::release_inconsistent);
  refuses(R"(["4","1"],["1","4"])", R"(["4","1"],["1"])", ErrorCode::release_malformed);
  refuses(R"(["4","1"],["1","4"])", R"(["4","1"])", ErrorCode::release_malformed);
  refuses(R"("mean":["1/2","1/2"])", R"("mean":["1/2"])", ErrorCode::release_inconsistent);
  refuses(R"("normal-inverse-wishart")", R"("wishart")", ErrorCode::release_malformed);
}

TEST_F(VectorDocument, TooManyProducts) {
  Release release = pair_release();
  const auto block = release.blocks[3];
  ASSERT_TRUE(block.block.statistic.as<model::ProductSum>() != nullptr);
  while (release.blocks.size() < 4 + 1025) release.blocks.push_back(block);
  EXPECT_REFUSAL(parse_document(to_document(release)), ErrorCode::release_limit);
}

TEST_F(VectorDocument, VerifyCatchesProductsThatWereNotPaidFor) {
  Release release = pair_release();
  release.blocks.erase(release.blocks.begin() + 3);  // the product: published elsewhere, perhaps
  EXPECT_EQ(failures(release), "cost shape noise");
  release = pair_release();
  release.blocks[3].block.noise.parameter *= 2;
  EXPECT_EQ(failures(release), "cost noise");
  release = pair_release();
  release.study.schema = model::box_schema({{-3, 3}, {0, 10}});
  EXPECT_EQ(failures(release), "cost noise");  // a wider range than the noise was made for
}

// The prior is the analyst's matter; the columns and their order are not.
TEST_F(VectorDocument, ReleasesOfOneModelCombine) {
  Release other = pair_release();
  other.release_id = std::string(32, '1');
  model::change_model<model::MultivariateNormal>(other.study, [](model::MultivariateNormal& model) {
    model.scale = {9, 2, 2, 9};
  });
  const Release both[] = {pair_release(), other};
  EXPECT_EQ(group_by_records(both, Priors::may_differ).size(), 1u);
  EXPECT_REFUSAL(group_by_records(both, Priors::must_agree), ErrorCode::releases_conflict);
  model::change_model<model::MultivariateNormal>(
      other.study, [](model::MultivariateNormal& model) { std::swap(model.columns[0], model.columns[1]); });
  const Release swapped[] = {pair_release(), other};
  EXPECT_REFUSAL(group_by_records(swapped, Priors::may_differ), ErrorCode::releases_conflict);
}

}  // namespace
}  // namespace postern::release
