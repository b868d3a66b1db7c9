// Networks that people publish, and what pgmpy says about them (tests/data/networks/make.py).

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "postern/graph/bif.hpp"
#include "postern/graph/query.hpp"

#include "test_data.hpp"

namespace postern::graph {
namespace {

struct Expected {
  std::vector<std::pair<std::string, std::string>> evidence;
  std::map<std::string, std::vector<double>> posteriors;
};

std::map<std::string, Expected> expected() {
  std::map<std::string, Expected> out;
  std::ifstream in(test_data("networks/posteriors.txt"));
  Expected* network = nullptr;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "network") {
      words >> first;
      network = &out[first];
    } else if (first == "evidence") {
      for (std::string name, level; words >> name >> level;) network->evidence.emplace_back(name, level);
    } else {
      for (std::string number; words >> number;) network->posteriors[first].push_back(std::stod(number));
    }
  }
  return out;
}

class PublishedNetworks : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("POSTERN_DATA");
    const std::string path =
        std::string(folder == nullptr ? "" : folder) + "/networks/bif/" + GetParam() + ".bif";
    std::ifstream in(path);
    if (folder == nullptr || !in)
      GTEST_SKIP() << "POSTERN_DATA names no folder with networks/bif/" << GetParam();
    std::ostringstream text;
    text << in.rdbuf();
    network_ = parse_bif(text.str(), path);
  }

  [[nodiscard]] std::uint32_t variable(const std::string& name) const {
    const auto names = network_.names();
    return static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin());
  }

  BifNetwork network_;
};

TEST_P(PublishedNetworks, ReadWrittenAndReadAgainAreTheSame) {
  const std::string text = write_bif(network_);
  EXPECT_EQ(parse_bif(text), network_);
  EXPECT_EQ(write_bif(parse_bif(text)), text);
}

TEST_P(PublishedNetworks, PosteriorsAreThoseOfVariableElimination) {
  const Expected wanted = expected().at(GetParam());
  Evidence evidence;
  for (const auto& [name, level] : wanted.evidence) {
    const std::uint32_t v = variable(name);
    const auto& levels = network_.variables.at(v).levels;
    evidence.push_back({v, static_cast<std::uint32_t>(std::ranges::find(levels, level) - levels.begin())});
  }
  const NetworkAnswer answer = posteriors(network_.dag(), network_.sizes(), network_.tables(), evidence);
  ASSERT_EQ(wanted.posteriors.size() + evidence.size(), network_.variables.size());
  for (const auto& [name, posterior] : wanted.posteriors) {
    const std::vector<double>& ours = answer.tables.at(variable(name));
    ASSERT_EQ(ours.size(), posterior.size());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], posterior[i], 1e-10) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Bif, PublishedNetworks,
                         ::testing::Values("alarm", "andes", "asia", "cancer", "child", "hailfinder",
                                           "insurance", "sachs", "win95pts"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace postern::graph
