// Documents of networks: a table a family, and the edges whole.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"
#include "postern/release/record_set.hpp"
#include "postern/release/verify.hpp"

#include "change_model.hpp"
#include "network_studies.hpp"
#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using model::BayesNet;
using testing::make_release;
using testing::replaced;

std::string failures(const Release& release) {
  std::string names;
  for (const Check& check : verify(release)) {
    if (!check.passed) names += (names.empty() ? "" : " ") + check.name;
  }
  return names;
}

/// x2 -> x0 <- x1, with a prior of its own where one is given.
model::Study meeting(const char* prior) {
  const std::string text = R"(version = 1
name    = "meeting"
dataset = "meeting"
[privacy]
adjacency = "replace-one"
currency  = "pure"
[columns.x0]
categories = ["a", "b"]
[columns.x1]
categories = ["a", "b", "c"]
[columns.x2]
categories = ["a", "b"]
[columns.unused]
categories = ["a", "b"]
[model]
kind    = "bayes-net"
columns = ["x2", "x1", "x0"]
edges   = [["x2", "x0"], ["x1", "x0"]]
)";
  return model::parse_study(text + prior, "study.toml");
}

const std::vector<Int128> kValues{5, -3, 2, 0, 1, 9, 4, 4, -1, 7, 8, 30, 20, 11, 6, 40};

TEST(NetworkDocument, RoundTripsEveryPrior) {
  for (const char* prior :
       {"", "prior = { dirichlet = 3 }", "prior = { bdeu = \"2.5\" }", "prior = { dirichlet = { x0 = 2 } }",
        "prior = { dirichlet = { x1 = [1, 2, 3], x0 = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]] } "
        "}"}) {
    const Release wrote = make_release(meeting(prior), "1", kValues);
    const std::string text = to_document(wrote);
    const Release read = parse_document(text);
    EXPECT_EQ(to_document(read), text);
    EXPECT_EQ(failures(read), "");
    const auto& before = wrote.study.model.get<BayesNet>();
    const auto& after = read.study.model.get<BayesNet>();
    ASSERT_EQ(after.nodes.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(after.nodes[i].column, before.nodes[i].column);
      EXPECT_EQ(after.nodes[i].parents, before.nodes[i].parents);
      EXPECT_EQ(after.nodes[i].alpha, before.nodes[i].alpha);
    }
  }
}

TEST(NetworkDocument, RoundTripsAClass) {
  const model::Study study = model::naive_study(2, 2);
  const Release read = parse_document(to_document(make_release(study, "1", {4, 1, 2, 3, 4, 5, 6, 7, -8})));
  EXPECT_EQ(read.study.model.get<BayesNet>().class_column, "x0");
  EXPECT_EQ(read.study.model.kind().family(read.study.model), "naive-bayes");
  EXPECT_EQ(failures(read), "");
}

TEST(NetworkDocument, RefusesAnEditedNetwork) {
  const std::string text = to_document(make_release(meeting(""), "1", kValues));
  const auto refuses = [&](const char* from, const char* to) {
    EXPECT_THROW(static_cast<void>(parse_document(replaced(text, from, to))), Error) << to;
  };
  refuses(R"("edges":[["x2","x0"],["x1","x0"]])", R"("edges":[["x2","x0"],["x0","x2"]])");
  refuses(R"("edges":[["x2","x0"],["x1","x0"]])", R"("edges":[["x2","x0"],["x2","x0"]])");
  refuses(R"("edges":[["x2","x0"],["x1","x0"]])", R"("edges":[["x2","x0","x1"]])");
  refuses(R"("edges":[["x2","x0"],["x1","x0"]],)", "");
  refuses(R"("columns":["x0","x1","x2"],"edges")", R"("columns":["x0","x1","x3"],"edges")");
  refuses(R"("prior":{"dirichlet":"1/2"})", R"("prior":{"dirichlet":{"x0":"1"}})");
  refuses(R"("prior":{"dirichlet":"1/2"})", R"("prior":{"bdeu":"0"})");
  refuses(R"("prior":{"dirichlet":"1/2"})", R"("prior":{"dirichlet":"1/2"},"structure":"a.bif")");
  const Release fewer =
      parse_document(replaced(text, R"("edges":[["x2","x0"],["x1","x0"]])", R"("edges":[["x2","x0"]])"));
  EXPECT_EQ(failures(fewer), "shape");
}

TEST(NetworkDocument, OfTwoNetworksCannotBeCombined) {
  const Release a = make_release(meeting(""), "1", kValues);
  Release other = make_release(meeting("prior = { dirichlet = 1 }"), "1", kValues);
  other.release_id.back() = '0';
  const auto together = [&](Priors priors) {
    const std::vector<Release> both{a, other};
    return group_by_records(both, priors).size();
  };
  EXPECT_THROW(static_cast<void>(together(Priors::must_agree)), Error);
  EXPECT_NO_THROW(static_cast<void>(together(Priors::may_differ)));
  BayesNet net = other.study.model.get<BayesNet>();
  net.nodes[1].parents = {"x2"};
  other.study.model = net;
  EXPECT_THROW(static_cast<void>(together(Priors::may_differ)), Error);
}

}  // namespace
}  // namespace postern::release
