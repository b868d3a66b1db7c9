// kind = "bayes-net" and kind = "naive-bayes" in study files.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/prior_text.hpp"

#include "network_studies.hpp"
#include "study_faults.hpp"

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "lung"
dataset = "clinic"
[privacy]
adjacency = "replace-one"
currency  = "pure"
[columns.cancer]
categories = ["no", "yes"]
[columns.smoker]
categories = ["no", "yes"]
[columns.age]
integer = [18, 99]
cuts    = [30, 60]
[columns.weight]
real = ["30", "200"]
grid = "0.5"
[columns.income]
integer = [0, 100000]
[model]
kind    = "bayes-net"
columns = ["smoker", "age", "cancer"]
edges   = [["smoker", "cancer"], ["age", "cancer"]]
)";

Study with_prior_line(const std::string& prior) {
  return parse_study(std::string(kStudy) + "prior = " + prior + "\n", "study.toml");
}
const BayesNet& net_of(const Study& study) { return study.model.get<BayesNet>(); }
Rational half() { return {1, 2}; }

TEST(NetworkStudy, ReadsNodesInTheOrderOfTheirDeclaration) {
  const Study study = parse_study(kStudy, "study.toml");
  const BayesNet& net = net_of(study);
  EXPECT_EQ(columns_of(study.model), (std::vector<std::string>{"cancer", "smoker", "age"}));
  EXPECT_EQ(net.nodes[0].parents, (std::vector<std::string>{"smoker", "age"}));
  EXPECT_EQ(net.nodes[0].alpha, std::vector<Rational>(12, half()));
  EXPECT_EQ(net.nodes[1].alpha, std::vector<Rational>(2, half()));
  EXPECT_EQ(net.nodes[2].alpha, std::vector<Rational>(3, half()));
  EXPECT_FALSE(net.class_column);
  EXPECT_EQ(study.model.kind().family(study.model), "bayes-net");
  EXPECT_EQ(study.model.kind().text(study.model, study.schema),
            "bayes-net: 3 columns, 2 edges, 17 cells, prior dirichlet(0.5)");
}

TEST(NetworkStudy, NamesParametersByNodeRowAndLevel) {
  const Study study = parse_study(kStudy, "study.toml");
  const std::vector<Parameter> parameters = study.model.kind().parameters(study);
  ASSERT_EQ(parameters.size(), 17u);
  EXPECT_EQ(parameters[1].name, "cpt_1.1.2");
  EXPECT_EQ(parameters[1].label, "P(cancer = yes | smoker = no, age = 18-29)");
  EXPECT_EQ(parameters[11].name, "cpt_1.6.2");
  EXPECT_EQ(parameters[11].label, "P(cancer = yes | smoker = yes, age = 60-99)");
  EXPECT_EQ(parameters[12].name, "cpt_2.1.1");
  EXPECT_EQ(parameters[12].label, "P(smoker = no)");
}

TEST(NetworkStudy, ReadsEveryPrior) {
  EXPECT_EQ(net_of(with_prior_line("{ dirichlet = 2 }")).nodes[0].alpha, std::vector<Rational>(12, 2));
  const Study bdeu = with_prior_line("{ bdeu = 6 }");
  EXPECT_EQ(net_of(bdeu).nodes[0].alpha, std::vector<Rational>(12, half()));
  EXPECT_EQ(net_of(bdeu).nodes[1].alpha, std::vector<Rational>(2, 3));
  EXPECT_EQ(net_of(bdeu).nodes[2].alpha, std::vector<Rational>(3, 2));
  EXPECT_EQ(bdeu.model.kind().prior_records(bdeu.model), 6);
  const Study tables = with_prior_line(
      "{ dirichlet = { smoker = [8, \"2.5\"], cancer = "
      "[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]] } }");
  EXPECT_EQ(net_of(tables).nodes[1].alpha, (std::vector<Rational>{8, Rational(5, 2)}));
  EXPECT_EQ(net_of(tables).nodes[0].alpha[7], 8);
  EXPECT_EQ(net_of(tables).nodes[2].alpha, std::vector<Rational>(3, half()));
  EXPECT_EQ(tables.model.kind().prior_records(tables.model), 23);
}

TEST(NetworkStudy, TakesPriorsInWords) {
  const Study study = parse_study(kStudy, "study.toml");
  const Kind& kind = study.model.kind();
  const Model flat = kind.with_prior(study.model, parse_prior("dirichlet 1", study));
  EXPECT_EQ(flat.get<BayesNet>().nodes[0].alpha, std::vector<Rational>(12, 1));
  const Model even = kind.with_prior(study.model, parse_prior("bdeu 10", study));
  EXPECT_EQ(even.get<BayesNet>().nodes[0].alpha, std::vector<Rational>(12, Rational(5, 6)));
  EXPECT_EQ(even.get<BayesNet>().nodes[2].alpha, std::vector<Rational>(3, Rational(10, 3)));
  const std::vector<Rational> scaled = kind.scaled_prior(study.model, 4);
  EXPECT_EQ(scaled, std::vector<Rational>(17, 2));
  EXPECT_EQ(kind.with_prior(study.model, scaled).get<BayesNet>().nodes[2].alpha, std::vector<Rational>(3, 2));
}

TEST(NetworkStudy, ReadsAClassAndItsFeatures) {
  const std::string text(kStudy);
  const std::string head = text.substr(0, text.find("[columns.weight]"));
  const Study all = parse_study(head + "[model]\nkind = \"naive-bayes\"\nclass = \"smoker\"\n", "study.toml");
  EXPECT_EQ(columns_of(all.model), (std::vector<std::string>{"cancer", "smoker", "age"}));
  EXPECT_EQ(net_of(all).nodes[0].parents, std::vector<std::string>{"smoker"});
  EXPECT_EQ(net_of(all).nodes[2].parents, std::vector<std::string>{"smoker"});
  EXPECT_EQ(net_of(all).class_column, "smoker");
  EXPECT_EQ(all.model.kind().text(all.model, all.schema),
            "naive-bayes: smoker and 2 features, 12 cells, prior dirichlet(0.5)");
  const Study some = parse_study(
      head + "[model]\nkind = \"naive-bayes\"\nclass = \"smoker\"\nfeatures = [\"age\"]\n", "study.toml");
  EXPECT_EQ(columns_of(some.model), (std::vector<std::string>{"smoker", "age"}));
}

TEST(NetworkStudy, MayHaveNoEdges) {
  const Study study =
      parse_study(edited(kStudy, "[[\"smoker\", \"cancer\"], [\"age\", \"cancer\"]]", "[]"), "study.toml");
  EXPECT_TRUE(net_of(study).nodes[0].parents.empty());
}

std::string refusal(const std::string& text, ErrorCode code) {
  try {
    static_cast<void>(parse_study(text, "study.toml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "read: " << text;
  return "";
}

TEST(NetworkStudy, RefusesWithAReason) {
  const char kEdges[] = R"([["smoker", "cancer"], ["age", "cancer"]])";
  const char kColumns[] = R"(["smoker", "age", "cancer"])";
  const StudyFault faults[] = {
      {kEdges, R"([["smoker", "cancer"], ["cancer", "smoker"]])", ErrorCode::bad_value, " -> "},
      {kEdges, R"([["smoker", "smoker"]])", ErrorCode::bad_value, "'smoker' -> 'smoker'"},
      {kEdges, R"([["smoker", "cancer"], ["smoker", "cancer"]])", ErrorCode::bad_value, "there twice"},
      {kEdges, R"([["smokers", "cancer"]])", ErrorCode::unknown_column, "did you mean 'smoker'?"},
      {kEdges, R"([["income", "cancer"]])", ErrorCode::bad_value, "not among the model's `columns`"},
      {kEdges, R"([["smoker"]])", ErrorCode::wrong_type, "lists of 2 texts"},
      {kEdges, R"(["smoker", "cancer"])", ErrorCode::wrong_type, "lists of 2 texts"},
      {kEdges, R"([["smoker", 3]])", ErrorCode::wrong_type, "lists of 2 texts"},
      {kEdges, R"("smoker -> cancer")", ErrorCode::wrong_type, "lists of 2 texts"},
      {"edges   = ", "arrows = ", ErrorCode::unknown_key, "edges"},
      {kColumns, R"(["smoker", "age", "cancer", "age"])", ErrorCode::bad_value, "twice"},
      {kColumns, R"(["smoker", "age", "cancer", "ages"])", ErrorCode::unknown_column, "did you mean 'age'"},
      {kColumns, R"(["smoker", "age", "cancer", "weight"])", ErrorCode::bad_value, "study.toml:14:1"},
      {kColumns, R"(["smoker", "age", "cancer", "income"])", ErrorCode::bad_value, "cuts = [..]"},
      {"columns = ", "# ", ErrorCode::bad_value, "cuts = [..]"},
      {"kind    = \"bayes-net\"", "kind = \"bayes-nets\"", ErrorCode::unsupported, "naive-bayes"},
  };
  for (const StudyFault& fault : faults) {
    const std::string said = refusal(edited(kStudy, fault.from, fault.to), fault.code);
    EXPECT_NE(said.find(fault.says), std::string::npos) << said;
  }
}

TEST(NetworkStudy, RefusesPriorsWithAReason) {
  const std::pair<const char*, ErrorCode> faults[] = {
      {"{ dirichlet = 0.5 }", ErrorCode::bare_float},
      {"{ dirichlet = 0 }", ErrorCode::bad_prior},
      {"{ dirichlet = 1, bdeu = 1 }", ErrorCode::bad_prior},
      {"{ bdeu = \"0.000001\" }", ErrorCode::bad_prior},
      {"{ bde = 1 }", ErrorCode::unknown_key},
      {"{ dirichlet = { smokers = 1 } }", ErrorCode::unknown_key},
      {"{ dirichlet = { smoker = [1] } }", ErrorCode::bad_value},
      {"{ dirichlet = { cancer = [[1, 2]] } }", ErrorCode::bad_value},
      {"{ dirichlet = { cancer = [[1], [2], [3], [4], [5], [6]] } }", ErrorCode::wrong_type},
      {"{ dirichlet = [1, 2] }", ErrorCode::wrong_type},
  };
  for (const auto& [prior, code] : faults) refusal(std::string(kStudy) + "prior = " + prior + "\n", code);
}

TEST(NetworkStudy, RefusesAClassAmongItsFeatures) {
  const std::string text(kStudy);
  const std::string head = text.substr(0, text.find("[model]")) + "[model]\nkind = \"naive-bayes\"\n";
  const auto says = [&](const std::string& lines, ErrorCode code, const char* what) {
    const std::string said = refusal(head + lines, code);
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  says("class = \"smoker\"\nfeatures = [\"age\", \"smoker\"]\n", ErrorCode::bad_value, "leave it out");
  says("class = \"smokers\"\n", ErrorCode::unknown_column, "did you mean 'smoker'");
  says("class = \"smoker\"\nfeatures = []\n", ErrorCode::bad_value, "at least one");
  says("class = \"smoker\"\n", ErrorCode::bad_value, "cuts = [..]");
  says("features = [\"age\"]\n", ErrorCode::missing_key, "class");
}

TEST(NetworkStudy, NamesTablesThatAreTooLarge) {
  const auto said = [](const std::vector<std::uint32_t>& levels,
                       const std::vector<std::vector<std::size_t>>& parents) -> std::string {
    std::vector<Column> columns;
    BayesNet net;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      columns.push_back(plain_column("x" + std::to_string(i), levels[i]));
      net.nodes.push_back({columns.back().name, {}, {}});
      for (const std::size_t parent : parents[i])
        net.nodes.back().parents.push_back("x" + std::to_string(parent));
    }
    try {
      Model(net).kind().check(net, Schema(columns));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said({500, 500, 100}, {{}, {}, {0, 1}}).find("500 x 500 x 100 cells"), std::string::npos);
  const std::string many = said({2000, 2000, 2000}, {{}, {0}, {1}});
  EXPECT_NE(many.find("8002000 cells together"), std::string::npos) << many;
  EXPECT_NE(many.find("x0, x1: 2000 x 2000"), std::string::npos) << many;
  std::vector<std::vector<std::size_t>> fan(17);
  for (std::size_t i = 0; i < 16; ++i) fan[16].push_back(i);
  EXPECT_NE(said(std::vector<std::uint32_t>(17, 2), fan).find("'x16' has 16 parents"), std::string::npos);
  EXPECT_NE(said({1, 1}, {{}, {0}}).find("nothing can be learnt"), std::string::npos);
}

}  // namespace
}  // namespace postern::model
