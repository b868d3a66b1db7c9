// prior = "learned" of networks and Markov chains.

#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study study_with(int version, const std::string& model) {
  return parse_study("version = " + std::to_string(version) + R"(
name    = "people"
dataset = "census"
[privacy]
unit      = "record"
adjacency = "replace-one"
currency  = "pure"
[columns.age]
integer = [18, 99]
cuts    = [30, 60]
[columns.sex]
categories = ["f", "m"]
[columns.work]
categories = ["none", "part", "full"]
[columns.income]
categories = ["low", "high"]
[model]
)" + model + "\n",
                     "study.toml");
}

const std::string kBayes = R"(kind = "bayes-net"
edges = [["age", "work"], ["work", "income"]])";
const std::string kNaive = R"(kind = "naive-bayes"
class = "income")";
const std::string kTree = R"(kind = "markov-net"
cliques = [["age", "work"], ["age", "sex"], ["work", "income"]])";
const std::string kChosen = R"(kind = "markov-net"
select = "tree")";
const std::string kAdaptive = R"(kind = "markov-net"
select = "adaptive")";
const std::string kCycle = R"(kind = "markov-net"
cliques = [["age", "work"], ["work", "income"], ["income", "sex"], ["age", "sex"]])";

bool learned(const Study& study) { return study.model.kind().learned_prior(study.model); }

TEST(LearnedNetworks, LearnByDefaultInVersionTwo) {
  for (const std::string& model : {kBayes, kNaive, kTree, kChosen}) {
    EXPECT_FALSE(learned(study_with(1, model))) << model;
    const Study study = study_with(2, model);
    EXPECT_TRUE(learned(study)) << model;
    EXPECT_EQ(study.model.kind().prior_records(study.model), 0);
    const std::string text = study.model.kind().text(study.model, study.schema);
    EXPECT_NE(text.find("prior learned"), std::string::npos) << text;
    EXPECT_TRUE(learned(study_with(1, model + "\nprior = \"learned\"")));
  }
}

TEST(LearnedNetworks, KeepTheirPriorWhereThereIsNone) {
  for (const std::string& model : {kAdaptive, kCycle}) {
    EXPECT_FALSE(learned(study_with(2, model))) << model;
    EXPECT_THROW((void)study_with(2, model + "\nprior = \"learned\""), Error) << model;
  }
  EXPECT_FALSE(learned(study_with(2, kTree + "\nprior = { normal = 1 }")));
  EXPECT_FALSE(learned(study_with(2, kTree + "\nprior = { hyper-dirichlet = 1 }")));
  EXPECT_FALSE(learned(study_with(2, kBayes + "\nprior = { bdeu = 10 }")));
}

TEST(LearnedNetworks, ArePlannedWithOneRecordACell) {
  const Study bayes = study_with(2, kBayes);
  for (const BayesNode& node : bayes.model.get<BayesNet>().nodes)
    EXPECT_EQ(node.alpha, std::vector<Rational>(node.alpha.size(), 1));
  const BayesNet tree = directed(study_with(2, kTree).model.get<MarkovNet>());
  EXPECT_TRUE(tree.learned);
  for (const BayesNode& node : tree.nodes)
    EXPECT_EQ(node.alpha, std::vector<Rational>(node.alpha.size(), 1)) << node.column;
}

TEST(LearnedNetworks, GiveWayToNumbers) {
  for (const std::string& model : {kBayes, kTree}) {
    const Study study = study_with(2, model);
    const Model stated = study.model.kind().with_prior(study.model, {Rational(3)});
    EXPECT_FALSE(stated.kind().learned_prior(stated));
  }
}

/// A choice among points of a grid is made by posterior probability, under a prior that must be known.
TEST(LearnedNetworks, AreRefusedByMechanismsThatHoldThePrior) {
  const Spend budget{Currency::pure, 1'000'000'000};
  for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
    EXPECT_NO_THROW((void)make_noise_plan(study_with(1, kBayes), mechanism, budget));
    EXPECT_THROW((void)make_noise_plan(study_with(2, kBayes), mechanism, budget), Error);
  }
  EXPECT_NO_THROW((void)make_noise_plan(study_with(2, kBayes), Mechanism::laplace, budget));
}

}  // namespace
}  // namespace postern::model
