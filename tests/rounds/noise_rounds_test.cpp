// What a token in rounds gives: the noise of one round after the other, within one charge.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/owner/discrete_laplace.hpp"
#include "postern/owner/noise_source.hpp"

#include "made_rounds.hpp"
#include "scripted_entropy.hpp"
#include "test_tokens.hpp"

namespace postern::owner {
namespace {

/// What was published of a chooser's rounds, made up.
class Published {
 public:
  explicit Published(const model::NoisePlan& plan) { add(plan.measurement, {12, 30}, {12, 30}); }
  void add(const model::Measurement& measurement, std::vector<Int128> values, std::vector<Int128> table) {
    blocks_.push_back({{measurement.blocks.at(0), std::move(values)}});
    tables_.push_back(std::move(table));
  }
  [[nodiscard]] std::vector<model::PublishedRound> rounds() const {
    std::vector<model::PublishedRound> out;
    for (std::size_t r = 0; r < blocks_.size(); ++r) out.push_back({blocks_[r], tables_[r]});
    return out;
  }

 private:
  std::vector<std::vector<model::MeasuredBlock>> blocks_;
  std::vector<std::vector<Int128>> tables_;
};

std::vector<Int128> laplace(const Rational& lambda, Entropy& entropy) {
  std::vector<Int128> out(2);
  DiscreteLaplaceSampler(lambda).draw(out, entropy);
  return out;
}

TEST(NoiseRounds, NoiseThatIsForeseenIsDrawnFirst) {
  const model::Study study = model::chooser_study({.rule = "steady"});
  const model::NoisePlan plan = plan_of(study, "0.4");
  ScriptedEntropy script(3);
  ScriptedEntropy same(3);
  const std::vector<Int128> first = laplace(Rational(1, 10), same);
  const std::vector<Int128> third = laplace(Rational(1, 5), same);
  DrawnNoise drawn = NoiseSource(TestTokens::make(plan, study), script).draw();
  EXPECT_EQ(script.served(), same.served()) << "something is drawn later, or too much was drawn";
  EXPECT_EQ(drawn.added().at(0), first);
  Published published(plan);
  ASSERT_TRUE(drawn.next_round(published.rounds()));
  EXPECT_TRUE(drawn.added().at(0).empty());
  const Int128 chosen = drawn.choose(0, std::vector<Int128>{0, 1000});
  EXPECT_EQ(chosen, 1);  // another one has a probability of e^-50
  published.add(drawn.measurement(), {chosen}, {12, 30});
  ASSERT_TRUE(drawn.next_round(published.rounds()));
  EXPECT_EQ(drawn.added().at(0), third);
  published.add(drawn.measurement(), {10, 10}, {});
  EXPECT_FALSE(drawn.next_round(published.rounds()));
}

TEST(NoiseRounds, NothingIsDrawnForARoundThatIsNotPaidFor) {
  const model::Study study = model::chooser_study({.rule = "greedy"});
  const model::NoisePlan plan = plan_of(study, "0.4");
  ScriptedEntropy script(4);
  DrawnNoise drawn = NoiseSource(TestTokens::make(plan, study), script).draw();
  Published published(plan);
  ASSERT_TRUE(drawn.next_round(published.rounds()));
  published.add(drawn.measurement(), {drawn.choose(0, std::vector<Int128>{0, 0})}, {12, 30});
  const auto before = script.served();
  EXPECT_THROW((void)drawn.next_round(published.rounds()), Error);
  EXPECT_EQ(script.served(), before);
}

TEST(NoiseRounds, ARoundComesOnceAndInItsTurn) {
  const model::Study study = model::chooser_study({});
  const model::NoisePlan plan = plan_of(study, "0.4");
  ScriptedEntropy script(5);
  DrawnNoise drawn = NoiseSource(TestTokens::make(plan, study), script).draw();
  EXPECT_THROW((void)drawn.next_round({}), Error);
  const Published published(plan);
  EXPECT_TRUE(drawn.next_round(published.rounds()));
  EXPECT_THROW((void)drawn.next_round(published.rounds()), Error);
  model::NoisePlan once = plan;
  once.rounds.reset();
  DrawnNoise single = NoiseSource(TestTokens::make(once, study), script).draw();
  EXPECT_THROW((void)single.next_round(published.rounds()), Error);
}

}  // namespace
}  // namespace postern::owner
