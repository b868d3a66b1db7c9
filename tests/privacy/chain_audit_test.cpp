#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "postern/owner/source.hpp"

#include "audit_kit.hpp"
#include "chain_studies.hpp"

// Audits of Markov chains: CSV file -> people in order -> weights -> gate, on files that differ in all
// records of one person. alpha = 1e-6 an audit, 4000 runs.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::int64_t kAtMost = 2;

/// A sequence of states from a time on.
std::string path(const std::string& id, int from, const std::string& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size(); ++i)
    text += id + "," + std::to_string(from + static_cast<int>(i)) + ",c" + states[i] + "\n";
  return text;
}

struct Files {
  std::string what, without, with;
};

std::vector<Files> neighbours() {
  const std::string crowd = "id,t,x\n" + path("ann", 0, "0101") + path("bob", 2, "1");
  const auto joins = [&](const std::string& what, const std::string& newcomer) {
    return Files{what, crowd, crowd + newcomer};
  };
  return {
      joins("as many transitions as count, in one cell", path("new", 0, "222")),
      joins("many more, in one cell", path("new", 0, "22222222222")),
      joins("many more, in many cells", path("new", 0, "00102112201")),
      joins("many times told", path("new", 0, "222") + path("new", 0, "222") + path(" new", 0, "222")),
      joins("contradictions", path("new", 0, "22222") + path("new", 2, "0")),
      joins("one who begins where another ends", path("new", 4, "2")),
      joins("of nobody", path("", 0, "2222222")),
      {"alone", "id,t,x\n", "id,t,x\n" + path("new", 0, "2222222")},
  };
}

model::Study study_of(Currency currency) {
  return model::chain_study({.states = 3, .last_time = 10, .at_most = kAtMost, .currency = currency});
}

Measured read(const std::string& text, const model::Study& study, const model::NoisePlan& plan) {
  std::string file = testing::TempDir() + "postern-chain-XXXXXX";
  const int handle = mkstemp(file.data());
  EXPECT_GE(handle, 0);
  (void)close(handle);
  std::ofstream(file, std::ios::binary) << text;
  Measured out = open_csv(file, study, 1)(plan.measurement);
  std::filesystem::remove(file);
  return out;
}

class ChainAudit : public testing::TestWithParam<Currency> {};

TEST_P(ChainAudit, ShowsNoMoreThanTheClaim) {
  const model::Study study = study_of(GetParam());
  const model::NoisePlan plan = model::small_plan(study, Rational(2));
  Entropy entropy;
  for (const Files& files : neighbours()) {
    const Measured without = read(files.without, study, plan);
    const Measured with = read(files.with, study, plan);
    const Neighbours pair{files.what, without.n, with.n, without.blocks, with.blocks};
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, 20, 200, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, 20, 200, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, GetParam(), kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d()) << files.what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChainAudit, testing::Values(Currency::pure, Currency::zcdp),
                         [](const auto& given) { return given.param == Currency::pure ? "pure" : "zcdp"; });

}  // namespace
}  // namespace postern::owner
