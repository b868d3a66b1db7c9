// What coefficients cost, against brute force over all pairs of records, and which networks are exact.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/model/helmert.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/fourier.hpp"

#include "network_studies.hpp"

namespace postern::model {
namespace {

using Record = std::vector<std::uint32_t>;

NoisePlan plan_of(const Study& study) {
  return make_noise_plan(study, Mechanism::fourier, Spend::parse(study.privacy.currency, "1"));
}

/// L1 or squared L2, of networks whose coefficients all have one noise.
Rational sensitivity(const Study& study) {
  const Rational parameter = plan_of(study).measurement.blocks.front().noise.parameter;
  return study.privacy.currency == Currency::pure ? Rational(1 / parameter) : Rational(2 * parameter);
}

std::vector<std::vector<std::size_t>> chain_of_order(std::size_t nodes, std::size_t order) {
  std::vector<std::vector<std::size_t>> parents(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i > order ? i - order : 0; j < i; ++j) parents[i].push_back(j);
  }
  return parents;
}

Study binary(const std::vector<std::vector<std::size_t>>& parents,
             Adjacency adjacency = Adjacency::replace_one, Currency currency = Currency::pure) {
  return network_study(std::vector<std::uint32_t>(parents.size(), 2), parents, adjacency, currency);
}

TEST(FourierCost, OfBinaryNetworksIsTheKnownOne) {
  EXPECT_EQ(sensitivity(naive_study(16, 2)), 64);
  EXPECT_EQ(sensitivity(naive_study(16, 2, Adjacency::add_remove)), 34);
  EXPECT_EQ(sensitivity(naive_study(1, 2)), 4);
  EXPECT_EQ(sensitivity(binary(chain_of_order(9, 1))), 26);
  EXPECT_EQ(sensitivity(binary(chain_of_order(10, 2))), 48);
  EXPECT_EQ(sensitivity(binary(chain_of_order(10, 2), Adjacency::add_remove)), 36);
  EXPECT_EQ(sensitivity(binary(chain_of_order(5, 4))), 32);  // one family of all
  // squared L2: twice the L1 of replaced records, as every change is by 2; equal for added ones
  EXPECT_EQ(sensitivity(naive_study(16, 2, Adjacency::replace_one, Currency::zcdp)), 128);
  EXPECT_EQ(sensitivity(naive_study(16, 2, Adjacency::add_remove, Currency::zcdp)), 34);
  for (std::size_t order = 0; order <= 4;
       ++order) {  // noise grows with density: cell sd of 2^{order+1} cells
    const double sd = std::sqrt(2.0) * sensitivity(binary(chain_of_order(12, order))).get_d() /
                      std::sqrt(std::pow(2.0, static_cast<double>(order) + 1));
    EXPECT_NEAR(sd, (std::vector<double>{24, 24, 28, 33.94, 44}[order]), 0.1);
  }
}

struct Moves {
  Rational weight;
  std::vector<std::int64_t> values;
};

/// What a record adds to all coordinates, block by block.
std::vector<Moves> moves(const Record& record, const Study& study, const Measurement& measured) {
  std::vector<Moves> out;
  for (const Block& block : measured.blocks) {
    const std::unique_ptr<Tally> tally = block.statistic.kind().tally(block.statistic, study.schema);
    Record levels;
    for (const std::string& name : block.statistic.kind().columns(block.statistic))
      levels.push_back(record[*study.schema.find(name)]);
    tally->add(levels, 1);
    Moves& one = out.emplace_back();
    one.weight = study.privacy.currency == Currency::pure ? block.noise.parameter
                                                          : Rational(1 / (2 * block.noise.parameter));
    for (const Int128 value : tally->values()) one.values.push_back(static_cast<std::int64_t>(value));
  }
  return out;
}

Rational loss(const std::vector<Moves>* before, const std::vector<Moves>& after, bool squared) {
  Rational total = 0;
  for (std::size_t b = 0; b < after.size(); ++b) {
    unsigned long sum = 0;
    for (std::size_t j = 0; j < after[b].values.size(); ++j) {
      const std::int64_t change = after[b].values[j] - (before == nullptr ? 0 : (*before)[b].values[j]);
      sum += static_cast<unsigned long>(squared ? change * change : std::abs(change));
    }
    total += after[b].weight * sum;
  }
  return total;
}

Rational worst_loss(const Study& study, const Measurement& measured) {
  const graph::Domain domain = study.schema.domain(columns_of(study.model));
  const bool squared = study.privacy.currency == Currency::zcdp;
  std::vector<std::vector<Moves>> all;
  for (std::size_t x = 0; x < domain.cells(); ++x) all.push_back(moves(domain.levels_of(x), study, measured));
  Rational worst = 0;
  for (std::size_t x = 0; x < all.size(); ++x) {
    if (study.privacy.adjacency == Adjacency::add_remove)
      worst = std::max(worst, loss(nullptr, all[x], squared));
    for (std::size_t y = 0; study.privacy.adjacency == Adjacency::replace_one && y < x; ++y)
      worst = std::max(worst, loss(&all[y], all[x], squared));
  }
  return worst;
}

TEST(FourierCost, EqualsBruteForceOnRandomNetworks) {
  Rng rng(20261120, 0, Purpose::test);
  int several = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const auto adjacency = trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove;
    const auto currency = trial % 4 < 2 ? Currency::pure : Currency::zcdp;
    const bool small = trial % 3 == 0;
    const Study study = random_network_study(small ? 6 : 4, small ? 2 : 4, adjacency, currency, rng);
    Measurement measured = plan_of(study).measurement;
    several += measured.blocks.size() > 2 ? 1 : 0;
    EXPECT_EQ(cost(measured, study.schema, study.privacy), 1);
    EXPECT_EQ(worst_loss(study, measured), 1);
    for (Block& block : measured.blocks)
      block.noise.parameter *= Rational(1 + static_cast<int>(rng() % 9)) / 7;
    EXPECT_EQ(cost(measured, study.schema, study.privacy), worst_loss(study, measured));
    EXPECT_EQ(cost_method(measured, study.schema, study.privacy), "exact");
  }
  EXPECT_GT(several, 10);
}

TEST(FourierCost, IsABoundWhereTheNetworkIsTooDense) {
  // 40 columns, each with four parents far apart: no order of elimination is affordable
  Rng rng(20261121, 0, Purpose::test);
  std::vector<std::vector<std::size_t>> parents(100);
  for (std::size_t i = 5; i < parents.size(); ++i) {
    while (parents[i].size() < 4) {
      const std::size_t parent = rng() % i;
      if (std::count(parents[i].begin(), parents[i].end(), parent) == 0) parents[i].push_back(parent);
    }
  }
  const Study study = binary(parents);
  const NoisePlan plan = plan_of(study);
  ASSERT_EQ(cost_method(plan.measurement, study.schema, study.privacy), "bound");
  EXPECT_EQ(sensitivity(study), Rational(2 * static_cast<unsigned long>(plan.measurement.blocks[0].size)));
  // one record added changes every coefficient by one, however dense
  const Study hidden = binary(parents, Adjacency::add_remove);
  EXPECT_EQ(cost_method(plan_of(hidden).measurement, hidden.schema, hidden.privacy), "exact");
}

// Weights that share no small denominator fall back on the bound, which brute force never passes.
TEST(FourierCost, BoundsWhatBruteForceFinds) {
  Rng rng(20261122, 0, Purpose::test);
  for (int trial = 0; trial < 12; ++trial) {
    const Study study =
        random_network_study(4, 4, trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove,
                             trial % 4 < 2 ? Currency::pure : Currency::zcdp, rng);
    Measurement measured = plan_of(study).measurement;
    for (Block& block : measured.blocks) {
      block.noise.parameter *=
          Rational(Integer("1000000000000000000000") + static_cast<unsigned long>(rng() % 99991),
                   Integer("999999999999999999989"));
      block.noise.parameter.canonicalize();
    }
    EXPECT_GE(cost(measured, study.schema, study.privacy), worst_loss(study, measured));
  }
}

// Scales make a cell about as noisy as coefficients of orthonormal contrasts would: a binary class, 16
// ternary features, whose sensitivity is 107.07.
TEST(FourierCost, NoiseByScaleIsNearTheIdeal) {
  std::vector<std::uint32_t> levels(17, 3);
  levels[0] = 2;
  std::vector<std::vector<std::size_t>> parents(17, {0});
  parents[0] = {};
  const Study study = network_study(levels, parents);
  double variance = 0;  // mean over the six cells of the last family
  for (const Block& block : plan_of(study).measurement.blocks) {
    const auto& coefficients = block.statistic.get<FourierCoefficients>();
    const double lambda = block.noise.parameter.get_d();
    for (const FourierTerm& term : fourier_terms(coefficients, study.schema)) {
      const std::vector<std::string>& family = coefficients.families[term.family];
      const auto contrasts = study.schema.domain(family).levels_of(term.cell);
      const bool within = family.back() == "x16" || family.size() == 1 || contrasts.back() == 0;
      if (!within) continue;
      double norm = 1;
      for (std::size_t i = 0; i < 2; ++i)
        norm *= static_cast<double>(contrast_norm(i < contrasts.size() ? contrasts[i] : 0, i == 0 ? 2 : 3));
      variance += 2 / (lambda * lambda) / norm / 6;
    }
  }
  const double ideal = 2 * 107.07 * 107.07 / 6 * 5 / 6;
  EXPECT_LT(std::sqrt(variance / ideal), 1.05);
  EXPECT_GT(std::sqrt(variance / ideal), 0.95);
}

}  // namespace
}  // namespace postern::model
