#include "postern/model/statistic/transitions.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/model/sequences.hpp"

#include "chain_studies.hpp"

namespace postern::model {
namespace {

using Rows = std::vector<std::uint32_t>;  // time, state, time, state, ... by increasing time

std::vector<Int128> added_by(const Statistic& statistic, const Rows& rows, const Schema& schema) {
  const auto tally = statistic.kind().tally(statistic, schema);
  dynamic_cast<PeopleTally&>(*tally).add_person(rows);
  return tally->values();
}

/// Every person with at most two records a time: each time has none, one state, or two states.
void for_each_person(std::uint32_t times, std::uint32_t states, const std::function<void(const Rows&)>& use) {
  std::vector<std::vector<std::uint32_t>> options{{}};
  for (std::uint32_t a = 0; a < states; ++a) {
    options.push_back({a});
    for (std::uint32_t b = a; b < states; ++b) options.push_back({a, b});
  }
  std::vector<std::size_t> choice(times, 0);
  for (;;) {
    Rows rows;
    for (std::uint32_t t = 0; t < times; ++t) {
      for (const std::uint32_t state : options[choice[t]]) rows.insert(rows.end(), {t, state});
    }
    use(rows);
    std::size_t t = 0;
    while (t < times && ++choice[t] == options.size()) choice[t++] = 0;
    if (t == times) return;
  }
}

/// The largest cost of a person by enumeration, in all blocks together.
Rational brute_force(const std::vector<Block>& blocks, const Study& study, std::uint32_t times,
                     std::uint32_t states) {
  const bool pure = study.privacy.currency == Currency::pure;
  Rational most = 0;
  for_each_person(times, states, [&](const Rows& rows) {
    Rational cost = 0;
    for (const Block& block : blocks) {
      for (const Int128 value : added_by(block.statistic, rows, study.schema)) {
        const Rational change(static_cast<long>(value));
        cost += pure ? Rational(block.noise.parameter * change)
                     : Rational(change * change / (2 * block.noise.parameter));
      }
    }
    most = std::max(most, cost);
  });
  return most;
}

TEST(Transitions, CostWhatBruteForceFinds) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const std::int64_t at_most : {1, 2, 3}) {
      for (const std::int64_t parts : {1, 7}) {
        const Study study = chain_study({.at_most = at_most, .parts = parts, .currency = currency});
        const auto blocks = study.model.kind().design(study, {default_mechanism(study), {}}, Rational(1));
        EXPECT_EQ(brute_force(blocks, study, 4, 2), 1) << at_most << ' ' << parts;
        EXPECT_EQ(cost({blocks}, study.schema, study.privacy), 1);
      }
    }
  }
}

TEST(Transitions, ATiedChainOfFixedLengthCostsWhatIsKnownOfIt) {
  // Length 4: three transitions and a start. L1 is 4, squared L2 is 3^2 + 1: one cell can take all three.
  Study study = chain_study({.states = 3});
  const Block starts{Starts{"t", "x", 1}, {NoiseKind::discrete_laplace, 1}, 3};
  const Block moves{Transitions{"t", "x", 3, 1, {}}, {NoiseKind::discrete_laplace, 1}, 9};
  EXPECT_EQ(cost({{starts, moves}}, study.schema, study.privacy), 4);
  study.privacy.currency = Currency::zcdp;
  const Noise half{NoiseKind::discrete_gaussian, Rational(1, 2)};
  EXPECT_EQ(cost({{{starts.statistic, half, 3}, {moves.statistic, half, 9}}}, study.schema, study.privacy),
            10);
  // Of other neighbours twice that, which no study may have.
  study.privacy.unit = RecordUnit{};
  EXPECT_EQ(cost({{{starts.statistic, half, 3}, {moves.statistic, half, 9}}}, study.schema, study.privacy),
            20);
}

TEST(Transitions, NobodyExceedsTheBoundWhateverTheirRecords) {
  Rng rng(1, 0, Purpose::test);
  for (int round = 0; round < 2000; ++round) {
    const auto states = static_cast<std::uint32_t>(2 + rng() % 5);
    const auto last = static_cast<std::uint32_t>(1 + rng() % 60);
    const auto at_most = static_cast<std::int64_t>(1 + rng() % 20);
    const auto parts = static_cast<std::int64_t>(1 + rng() % 5);
    const Study study = chain_study({.states = states, .last_time = last});
    Rows rows;
    for (std::uint32_t t = 0; t <= last; ++t) {
      for (std::uint64_t copies = rng() % 3; copies > 0; --copies)
        rows.insert(rows.end(), {t, static_cast<std::uint32_t>(rng() % 10 == 0 ? rng() % states : 0)});
    }
    Int128 total = 0;
    for (const Int128 value : added_by(Transitions{"t", "x", at_most, parts, {}}, rows, study.schema)) {
      EXPECT_GE(value, 0);
      total += value;
    }
    EXPECT_LE(total, Int128{at_most} * parts);
    Int128 begun = 0;
    for (const Int128 value : added_by(Starts{"t", "x", parts}, rows, study.schema)) begun += value;
    EXPECT_LE(begun, parts);
  }
}

TEST(Transitions, CountOnlyStepsOfOneTimeBetweenAgreedStates) {
  const Study study = chain_study({.states = 2, .last_time = 9});
  const auto moves = [&](const Rows& rows, std::optional<std::uint32_t> idle = {}) {
    return added_by(Transitions{"t", "x", 100, 1, idle}, rows, study.schema);
  };
  EXPECT_EQ(moves({0, 0, 1, 1, 2, 1}), (std::vector<Int128>{0, 1, 0, 1}));
  EXPECT_EQ(moves({0, 0, 2, 1, 3, 1}), (std::vector<Int128>{0, 0, 0, 1}));           // nothing at 1
  EXPECT_EQ(moves({0, 0, 1, 0, 1, 1, 2, 1}), (std::vector<Int128>{0, 0, 0, 0}));     // two states at 1
  EXPECT_EQ(moves({0, 0, 1, 1, 1, 1}), (std::vector<Int128>{0, 1, 0, 0}));           // told twice
  EXPECT_EQ(moves({0, 0, 1, 0, 2, 1, 3, 1}, 0), (std::vector<Int128>{0, 1, 0, 1}));  // idle: 0
  EXPECT_EQ(added_by(Starts{"t", "x", 5}, {0, 0, 0, 1, 1, 1}, study.schema), (std::vector<Int128>{0, 5}));
}

TEST(Transitions, AreWeighedDownNotCutOff) {
  const Study study = chain_study({.states = 2, .last_time = 9});
  const Rows nine{0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 1, 8, 1, 9, 1};  // six, one, and two
  EXPECT_EQ(added_by(Transitions{"t", "x", 3, 100, {}}, nine, study.schema),
            (std::vector<Int128>{200, 33, 0, 66}));
  EXPECT_EQ(added_by(Transitions{"t", "x", 9, 100, {}}, nine, study.schema),
            (std::vector<Int128>{600, 100, 0, 200}));
}

TEST(MarkovChain, RefusesWhatIsNoChain) {
  const auto code = [](const Study& study) {
    try {
      check_study(study);
      (void)study.model.kind().design(study, {default_mechanism(study), {}}, Rational(1));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::usage;
  };
  EXPECT_EQ(code(chain_study({})), ErrorCode::usage);
  Study alone = chain_study({});
  alone.privacy.unit = RecordUnit{};
  EXPECT_EQ(code(alone), ErrorCode::bad_value);
  Study swapped = chain_study({});
  auto chain = swapped.model.get<MarkovChain>();
  std::swap(chain.time, chain.state);
  swapped.model = chain;
  EXPECT_EQ(code(swapped), ErrorCode::bad_value);
  Study vain = chain_study({});
  chain = vain.model.get<MarkovChain>();
  chain.alpha = 0;
  vain.model = chain;
  EXPECT_EQ(code(vain), ErrorCode::bad_prior);
}

}  // namespace
}  // namespace postern::model
