#include "postern/graph/uai.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

constexpr const char* kSmall = "MARKOV\n3\n2 2 3\n2\n2 0 1\n2 2 1\n\n4\n 1 0.5\n 2 1e-3\n\n6 1 1 1 0 1 4\n";

std::string refusal(std::string_view text) {
  try {
    (void)parse_uai(text);
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what();
  }
  return "read";
}

TEST(Uai, ReadWrittenAndReadAgainAreTheSame) {
  const UaiNetwork network = parse_uai(kSmall);
  EXPECT_EQ(network.sizes, (Sizes{2, 2, 3}));
  ASSERT_EQ(network.tables.size(), 2U);
  EXPECT_EQ(network.tables[1].variables, (Variables{2, 1}));
  EXPECT_EQ(network.tables[0].weights, (std::vector<double>{1, 0.5, 2, 1e-3}));
  EXPECT_EQ(parse_uai(write_uai(network)), network);
}

TEST(Uai, MarginalsAreThoseOfAllStates) {
  const UaiNetwork network = parse_uai(kSmall);
  for (const Evidence& evidence : {Evidence{}, Evidence{{1, 0}}, Evidence{{2, 1}, {0, 1}}}) {
    std::vector<std::vector<double>> wanted{{0, 0}, {0, 0}, {0, 0, 0}};
    double total = 0;
    for (std::uint32_t s = 0; s < 12; ++s) {
      const std::array<std::uint32_t, 3> x{s / 6, s / 3 % 2, s % 3};
      bool agrees = true;
      for (const Seen& seen : evidence) agrees = agrees && x.at(seen.variable) == seen.level;
      if (!agrees) continue;
      const double weight =
          network.tables[0].weights[x[0] * 2 + x[1]] * network.tables[1].weights[x[2] * 2 + x[1]];
      total += weight;
      for (std::uint32_t v = 0; v < 3; ++v) wanted[v][x.at(v)] += weight;
    }
    const UaiAnswer answer = uai_marginals(network, evidence);
    EXPECT_NEAR(answer.log_partition, std::log(total), 1e-12);
    for (std::uint32_t v = 0; v < 3; ++v) {
      for (std::size_t k = 0; k < wanted[v].size(); ++k)
        EXPECT_NEAR(answer.marginals[v][k], wanted[v][k] / total, 1e-12);
    }
  }
  EXPECT_EQ(uai_marginals(parse_uai("MARKOV 1 2 1 1 0 2 0 0"), {}).log_partition, kMinusInfinity);
}

TEST(Uai, MemoryIsForecastAsOnePassHoldsIt) {
  // Cliques of 4 and 6 cells. Separators: one of 2 cells, and the root's, of one.
  const UaiNetwork network = parse_uai(kSmall);
  const Forecast whole = uai_marginals(network, {}).forecast;
  EXPECT_EQ(whole.cells, 10);
  EXPECT_EQ(whole.bytes, 8 * 10 + 16 * 3);
  EXPECT_LT(uai_marginals(network, {{1, 0}}).forecast.bytes, whole.bytes);
  EXPECT_NO_THROW((void)uai_marginals(network, {}, whole.bytes));
  EXPECT_THROW((void)uai_marginals(network, {}, whole.bytes - 1), Error);
}

TEST(Uai, BayesianNetworksAndLawsAreWritten) {
  Rng rng(8, 0, Purpose::test);
  for (int i = 0; i < 20; ++i) {
    const testing::RandomNetwork random = testing::random_network(6, i % 2 == 0, rng);
    const UaiNetwork network = to_uai(random.dag, random.sizes, random.tables());
    EXPECT_EQ(write_uai(network).substr(0, 5), "BAYES");
    const UaiNetwork again = parse_uai(write_uai(network));
    EXPECT_EQ(again, network);
    const Evidence evidence = testing::random_evidence(random.sizes, rng);
    const double probability = random.evidence_probability(evidence);
    const UaiAnswer answer = uai_marginals(again, evidence);
    if (probability == 0) {
      EXPECT_EQ(answer.log_partition, kMinusInfinity);
    } else {
      EXPECT_NEAR(answer.log_partition, std::log(probability), 1e-10);
    }
  }
  const LogLinear model({2, 2}, {{0, 1}, {1}});
  const std::vector<double> theta{0.5, kMinusInfinity, 700, 3, -800, 1};
  const UaiNetwork written = parse_uai(write_uai(to_uai(model, theta)));
  EXPECT_EQ(written.tables[0].weights, (std::vector<double>{std::exp(-699.5), 0, 1, std::exp(-697.0)}));
  EXPECT_EQ(written.tables[1].weights, (std::vector<double>{0, 1}));
}

TEST(Uai, EvidenceWithAndWithoutANumberOfSamples) {
  const Sizes sizes{2, 3, 2};
  EXPECT_EQ(parse_uai_evidence("2 0 1 1 2", sizes), (Evidence{{0, 1}, {1, 2}}));
  EXPECT_EQ(parse_uai_evidence("1\n1 1 2\n", sizes), (Evidence{{1, 2}}));
  EXPECT_EQ(parse_uai_evidence("0", sizes), Evidence{});
  EXPECT_EQ(parse_uai_evidence(" \n", sizes), Evidence{});
  const Evidence evidence{{2, 1}, {0, 0}};
  EXPECT_EQ(parse_uai_evidence(write_uai_evidence(evidence), sizes), evidence);
  for (const char* bad : {"2 0 1", "2 1 0 1 1 1", "1 5 0", "1 0 2", "2 0 1 0 1", "x"})
    EXPECT_THROW((void)parse_uai_evidence(bad, sizes), Error) << bad;
}

TEST(Uai, RefusesWhatIsNoNetwork) {
  EXPECT_EQ(refusal("markov 1 2 0"), "study-syntax: network.uai:1:1: expected MARKOV or BAYES");
  EXPECT_EQ(refusal("MARKOV\n2 2"),
            "study-syntax: network.uai:2:4: expected the number of levels of a variable, found the end");
  EXPECT_EQ(refusal("MARKOV 1 0 0"), "bad-value: network.uai:1:10: a variable has one level or more");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 1 2 1 1"), "bad-value: network.uai:1:16: variable 1 is none of 0 to 0");
  EXPECT_EQ(refusal("MARKOV 2 2 2 1 2 1 1 4 1 1 1 1"),
            "bad-value: network.uai:1:20: a variable is twice in one table");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 0 3 1 1 1"),
            "bad-value: network.uai:1:18: expected 2 weights, one a cell of the table, found 3");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 0 2 1 -1").substr(0, 9), "bad-value");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 0 2 1 nan").substr(0, 9), "bad-value");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 0 2 1 1e999").substr(0, 12), "study-syntax");
  EXPECT_EQ(refusal("MARKOV 1 2 1 1 0 2 1 1 7").substr(0, 12), "study-syntax");
  EXPECT_EQ(refusal("MARKOV 4 99999 99999 99999 99999 1 4 0 1 2 3 1").substr(0, 9), "bad-value");
  EXPECT_EQ(refusal("MARKOV 1 2 4294967295").substr(0, 12), "study-syntax");
}

/// Problems of the 2014 competition with their published marginals.
class UaiCompetition : public ::testing::TestWithParam<const char*> {};

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// One unit of the last of the six significant digits that are published, trailing zeros left out.
double unit_of(double published) {
  constexpr double least = 1e-12;
  return std::pow(10.0, std::floor(std::log10(std::max(published, least))) - 5);
}

void expect_published(const char* name) {
  const char* folder = std::getenv("POSTERN_DATA");
  const std::string path =
      std::string(folder == nullptr ? "" : folder) + "/networks/uai2014/" + name + ".uai";
  const std::string text = read_file(path);
  if (folder == nullptr || text.empty()) GTEST_SKIP() << "POSTERN_DATA names no folder with networks/uai2014";
  const UaiNetwork network = parse_uai(text, path);
  EXPECT_EQ(parse_uai(write_uai(network)), network);
  const Evidence evidence = parse_uai_evidence(read_file(path + ".evid"), network.sizes);
  const UaiAnswer answer = uai_marginals(network, evidence);
  std::istringstream words(read_file(path + ".MAR"));
  std::string word;
  words >> word;
  std::size_t count = 0;
  words >> count;
  ASSERT_EQ(count, answer.marginals.size());
  double worst = 0;
  for (std::size_t v = 0; v < count; ++v) {
    words >> count;
    ASSERT_EQ(count, answer.marginals[v].size());
    for (const double p : answer.marginals[v]) {
      words >> word;
      const double wanted = std::stod(word);
      worst = std::max(worst, std::abs(p - wanted) / unit_of(wanted));
    }
    count = answer.marginals.size();
  }
  EXPECT_LE(worst, 1) << "units of the last digit";
}

TEST_P(UaiCompetition, MarginalsAreThePublishedOnes) { expect_published(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Uai2014, UaiCompetition,
                         ::testing::Values("Alchemy_11", "CSP_12", "Grids_12", "Pedigree_12", "Promedus_13",
                                           "Promedus_15", "Promedus_16", "Promedus_24", "Promedus_26",
                                           "Promedus_27", "Promedus_29", "Promedus_33", "Segmentation_11",
                                           "Segmentation_13"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace postern::graph
