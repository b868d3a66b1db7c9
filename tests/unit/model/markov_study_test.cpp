// kind = "markov-net" in study files.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/prior_text.hpp"
#include "postern/model/study_file.hpp"

#include "markov_studies.hpp"

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "people"
dataset = "census"
[privacy]
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
[columns.weight]
real = ["30", "200"]
grid = "0.5"
[columns.only]
categories = ["x"]
[model]
kind    = "markov-net"
)";

Study study_with(const std::string& lines) { return parse_study(kStudy + lines + "\n", "study.toml"); }
const MarkovNet& net_of(const Study& study) { return study.model.get<MarkovNet>(); }
std::vector<graph::Variables> cliques_of(const std::string& lines) {
  return net_of(study_with(lines)).cliques;
}
using Cliques = std::vector<graph::Variables>;

TEST(MarkovStudy, ReadsCliquesInAnyOrderOfTheirColumns) {
  const Study study = study_with(R"(cliques = [["sex", "age"], ["income", "work", "sex"], ["work"]])");
  EXPECT_EQ(net_of(study).columns, (std::vector<std::string>{"age", "sex", "work", "income"}));
  EXPECT_EQ(net_of(study).cliques, (Cliques{{0, 1}, {1, 2, 3}, {2}}));
  EXPECT_EQ(net_of(study).alpha, Rational(1, 2));
  EXPECT_EQ(study.model.kind().text(study.model, study.schema),
            "markov-net: 4 columns, 3 cliques, 21 cells (largest clique sex x work x income), "
            "prior hyper-dirichlet(0.5)");
}

TEST(MarkovStudy, ReadsPatterns) {
  const char* four = "columns = [\"work\", \"age\", \"sex\", \"income\"]\n";
  EXPECT_EQ(cliques_of(std::string(four) + "pattern = \"chain\""), (Cliques{{0, 2}, {0, 1}, {1, 3}}));
  EXPECT_EQ(cliques_of(std::string(four) + "pattern = \"chain\"\norder = 2"),
            (Cliques{{0, 2}, {1, 2}, {0, 1}, {0, 3}, {1, 3}}));
  EXPECT_EQ(cliques_of("columns = [\"age\", \"sex\", \"work\"]\npattern = \"all-pairs\""),
            (Cliques{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(cliques_of("columns = [\"age\"]\npattern = \"chain\""), (Cliques{{0}}));
}

TEST(MarkovStudy, TakesOneNumberAsItsPrior) {
  const Study study = study_with(R"(cliques = [["sex", "age"], ["work", "sex"], ["income"]]
prior = { hyper-dirichlet = "0.25" })");
  const Kind& kind = study.model.kind();
  EXPECT_EQ(kind.prior_records(study.model), 1.5);  // six cells in the largest clique
  const Model other = kind.with_prior(study.model, parse_prior("hyper-dirichlet 2", study));
  EXPECT_EQ(other.get<MarkovNet>().alpha, 2);
  EXPECT_EQ(kind.scaled_prior(study.model, 2), std::vector<Rational>{Rational(1, 2)});
  const BayesNet net = directed(net_of(study));
  for (const BayesNode& node : net.nodes) {
    Rational sum = 0;
    for (const Rational& alpha : node.alpha) sum += alpha;
    EXPECT_EQ(sum, Rational(3, 2)) << node.column;
  }
}

TEST(MarkovStudy, KnowsWhatIsDecomposable) {
  const std::pair<std::vector<graph::Variables>, bool> cases[] = {
      {{{0}}, true},
      {{{0, 1}, {1, 2}, {2, 3}}, true},
      {{{0, 1}, {2, 3}}, true},
      {{{0, 1, 2}, {1, 2, 3}, {2}, {1, 2}}, true},
      {{{0, 1}, {1, 2}, {0, 2}}, false},  // chordal, but its triangle is not a clique
      {{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, false},
      {{{0, 1, 2}, {0, 3}, {2, 3}}, false},
  };
  for (const auto& [cliques, expected] : cases) {
    std::uint32_t last = 0;
    for (const auto& clique : cliques) last = std::max(last, clique.back());
    for (const std::uint32_t levels : {1u, 2u}) {
      const Study study = markov_study(std::vector<std::uint32_t>(last + 1, levels), cliques);
      EXPECT_EQ(is_decomposable(net_of(study)), expected) << cliques.size();
    }
  }
}

TEST(MarkovStudy, NamesParametersFromTheBusiestColumn) {
  const Study study = study_with(R"(cliques = [["age", "sex"], ["sex", "income"]])");
  const std::vector<Parameter> parameters = study.model.kind().parameters(study);
  ASSERT_EQ(parameters.size(), 12u);
  EXPECT_EQ(parameters[0].label, "P(age = 18-29 | sex = f)");
  EXPECT_EQ(parameters[6].label, "P(sex = f)");
  EXPECT_EQ(parameters[11].label, "P(income = high | sex = m)");
}

struct Fault {
  const char* lines;
  ErrorCode code;
  const char* says;
};

TEST(MarkovStudy, RefusesWithAReason) {
  const Fault faults[] = {
      {"", ErrorCode::missing_key, "cliques = [["},
      {"cliques = []", ErrorCode::bad_value, "between 1 and"},
      {"cliques = [[]]", ErrorCode::bad_value, "1 to 16 columns"},
      {R"(cliques = [["age", "sex"], ["sex", "age"]])", ErrorCode::bad_value, "age, sex is there twice"},
      {R"(cliques = [["age", "age"]])", ErrorCode::bad_value, "'age' twice"},
      {R"(cliques = [["ages", "sex"]])", ErrorCode::unknown_column, "did you mean 'age'?"},
      {R"(cliques = [["weight", "sex"]])", ErrorCode::bad_value, "cuts = [..]"},
      {R"(cliques = [["only"]])", ErrorCode::bad_value, "nothing can be learnt"},
      {R"(cliques = "age")", ErrorCode::wrong_type, "texts"},
      {R"(cliques = [["age"]]
columns = ["age", "sex"])",
       ErrorCode::bad_value, "those of its cliques"},
      {R"(pattern = "tree")", ErrorCode::bad_value, "trees too"},
      {R"(pattern = "chain"
cliques = [["age"]])",
       ErrorCode::bad_value, "leave one of them out"},
      {R"(pattern = "all-pairs"
columns = ["age", "sex"]
order = 2)",
       ErrorCode::bad_value, "only a chain"},
      {R"(pattern = "chain"
columns = ["age", "sex", "age"])",
       ErrorCode::bad_value, "twice"},
      {R"(pattern = "chain"
columns = [])",
       ErrorCode::bad_value, "at least one"},
      {R"(cliques = [["age"]]
prior = { dirichlet = 1 })",
       ErrorCode::unknown_key, "hyper-dirichlet"},
      {R"(cliques = [["age"]]
prior = { hyper-dirichlet = 0 })",
       ErrorCode::bad_prior, "0.000001"},
      {R"(pattern = "all-pairs"
columns = ["age", "sex", "work"]
prior = { hyper-dirichlet = 1 })",
       ErrorCode::bad_prior, "write prior = { normal = \"1\" }"},
      {R"(select = "adaptive"
columns = ["age", "sex", "work"]
prior = { hyper-dirichlet = 1 })",
       ErrorCode::bad_prior, "rarely decomposable"},
      {R"(clique = [["age"]])", ErrorCode::unknown_key, "cliques"},
      {R"(select = "forest")", ErrorCode::bad_value, "select = \"tree\""},
      {R"(select = "tree"
cliques = [["age"]])",
       ErrorCode::bad_value, "leave one of them out"},
      {R"(select = "tree"
columns = ["age"])",
       ErrorCode::bad_value, "two or more columns"},
  };
  for (const Fault& fault : faults) {
    try {
      static_cast<void>(study_with(fault.lines));
      ADD_FAILURE() << "read: " << fault.lines;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), fault.code) << error.what();
      EXPECT_NE(std::string(error.what()).find(fault.says), std::string::npos) << error.what();
    }
  }
}

std::string refusal_of(const Study& study) {
  try {
    study.model.kind().check(study.model, study.schema);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MarkovStudy, NamesTheThreeLargestOfTablesThatAreTooLarge) {
  const std::string tables =
      refusal_of(markov_study({2000, 2000, 3000, 2, 2}, {{0, 1}, {1, 2}, {3, 4}, {0, 3}}));
  EXPECT_NE(tables.find("x1, x2: 2000 x 3000; x0, x1: 2000 x 2000; x0, x3: 2000 x 2"), std::string::npos)
      << tables;
  // Small tables whose junction tree is not: every pair of fourteen columns of ten levels.
  std::vector<graph::Variables> pairs;
  for (std::uint32_t a = 0; a < 14; ++a) {
    for (std::uint32_t b = a + 1; b < 14; ++b) pairs.push_back({a, b});
  }
  const std::string tree = refusal_of(markov_study(std::vector<std::uint32_t>(14, 10), pairs));
  EXPECT_NE(tree.find("its largest tables are x0 (10) x x1 (10)"), std::string::npos) << tree;
}

}  // namespace
}  // namespace postern::model
