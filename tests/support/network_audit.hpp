#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"

#include "audit_kit.hpp"

namespace postern::owner {

using model::Adjacency;
using Record = std::vector<std::uint32_t>;

/// The exact statistics of some records, by their definitions, block after block.
inline std::vector<std::vector<Int128>> statistics(const model::Study& study, const model::NoisePlan& plan,
                                                   const std::vector<Record>& records) {
  std::vector<std::vector<Int128>> blocks;
  for (const model::Block& block : plan.measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    const std::unique_ptr<model::Tally> tally = kind.tally(block.statistic, study.schema);
    for (const Record& record : records) {
      Record levels;
      for (const std::string& name : kind.columns(block.statistic))
        levels.push_back(record[*study.schema.find(name)]);
      tally->add(levels, 1);
    }
    blocks.push_back(tally->values());
  }
  return blocks;
}

/// The largest log ratio of P(outcome | a) to P(outcome | b) over all integer outcomes within three of the
/// statistics. Coordinates are noised apart, so it is the sum of the coordinates' largest.
inline double largest_log_ratio(const model::NoisePlan& plan, const std::vector<std::vector<Int128>>& a,
                                const std::vector<std::vector<Int128>>& b) {
  double total = 0;
  for (std::size_t block = 0; block < a.size(); ++block) {
    const release::NoiseLaw law = release::noise_law(plan.measurement.blocks[block].noise);
    for (std::size_t j = 0; j < a[block].size(); ++j) {
      const auto here = static_cast<double>(a[block][j]);
      const auto there = static_cast<double>(b[block][j]);
      double most = -HUGE_VAL;
      for (double y = std::min(here, there) - 3; y <= std::max(here, there) + 3; ++y)
        most = std::max(most, release::log_pmf(law, y - here) - release::log_pmf(law, y - there));
      total += most;
    }
  }
  return total;
}

/// All sets of at most two records.
inline std::vector<std::vector<Record>> small_sets(const model::Study& study, bool with_none) {
  const graph::Domain domain = study.schema.domain(model::columns_of(study.model));
  std::vector<std::vector<Record>> sets;
  if (with_none) sets.emplace_back();
  for (std::size_t x = 0; x < domain.cells(); ++x) {
    if (with_none) sets.push_back({domain.levels_of(x)});
    for (std::size_t y = 0; y <= x; ++y) sets.push_back({domain.levels_of(x), domain.levels_of(y)});
  }
  return sets;
}

inline bool adjacent(std::vector<Record> a, std::vector<Record> b, Adjacency adjacency) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<Record> only_a;
  std::vector<Record> only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  if (adjacency == Adjacency::replace_one) return only_a.size() == 1 && only_b.size() == 1;
  return only_a.size() + only_b.size() == 1;
}

inline double enumerated_loss(const model::Study& study, const model::NoisePlan& plan) {
  const Adjacency adjacency = study.privacy.adjacency;
  const auto sets = small_sets(study, adjacency == Adjacency::add_remove);
  double most = 0;
  for (const auto& a : sets) {
    for (const auto& b : sets) {
      if (adjacent(a, b, adjacency))
        most =
            std::max(most, largest_log_ratio(plan, statistics(study, plan, a), statistics(study, plan, b)));
    }
  }
  return most;
}

/// Two records that differ in every column, or one that comes to another.
inline Neighbours far_apart(const model::Study& study, const model::NoisePlan& plan) {
  Record first;
  Record last;
  for (const std::string& name : model::columns_of(study.model)) {
    first.push_back(0);
    last.push_back(study.schema.at(name).levels() - 1);
  }
  if (study.privacy.adjacency == Adjacency::replace_one)
    return {"replaced", 1, 1, statistics(study, plan, {first}), statistics(study, plan, {last})};
  return {"added", 1, 2, statistics(study, plan, {first}), statistics(study, plan, {first, last})};
}

using PolicyOf = std::pair<Adjacency, Currency>;
inline constexpr std::array kEveryPolicy{
    PolicyOf{Adjacency::replace_one, Currency::pure}, PolicyOf{Adjacency::add_remove, Currency::pure},
    PolicyOf{Adjacency::replace_one, Currency::zcdp}, PolicyOf{Adjacency::add_remove, Currency::zcdp}};
inline std::string policy_name(const testing::TestParamInfo<PolicyOf>& one) {
  return std::string(one.param.first == Adjacency::add_remove ? "add_remove_" : "replace_one_") +
         std::string(to_text(one.param.second));
}

/// 40 runs of the gate with 200 copies of the blocks on each of two neighbours, by either event, bound the
/// loss from below at alpha = 10^-6 by no more than what is charged.
inline void expect_no_more_than_claimed(const model::Study& study, const model::NoisePlan& plan,
                                        const Neighbours& pair) {
  constexpr double kAlpha = 1e-6;
  Entropy entropy;
  for (const Event event : {Event::likelihood_ratio, Event::projection}) {
    const auto on_d = run_gate(study, plan, pair, false, event, 40, 200, entropy);
    const auto on_neighbour = run_gate(study, plan, pair, true, event, 40, 200, entropy);
    const auto found = assess::audit_lower_bound(on_d, on_neighbour, study.privacy.currency, kAlpha);
    EXPECT_LE(found.lower, plan.cost.exact().get_d()) << pair.what;
  }
}

}  // namespace postern::owner
