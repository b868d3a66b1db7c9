#include "postern/owner/accounting.hpp"

#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

Rational q(const char* text) { return *parse_decimal(text, 30); }

/// Records are (part, value); part p publishes the sum of t(value) with its own noise. The truth by
/// enumeration.
struct Parts {
  Currency currency;
  std::vector<Rational> weight;      ///< lambda_p, or 1 / (2 sigma_p^2)
  std::vector<std::vector<long>> t;  ///< statistic of each value
};
using Sums = std::vector<std::vector<long>>;  // [part][coordinate]

Sums zero(const Parts& parts) { return Sums(parts.weight.size(), std::vector<long>(parts.t[0].size(), 0)); }

void add(Sums& sums, const Parts& parts, std::size_t part, std::size_t value, long sign) {
  for (std::size_t j = 0; j < parts.t[value].size(); ++j) sums[part][j] += sign * parts.t[value][j];
}

Rational loss(const Parts& parts, const Sums& change) {
  Rational total = 0;
  for (std::size_t p = 0; p < change.size(); ++p) {
    for (const long d : change[p]) {
      total += parts.weight[p] * Rational(parts.currency == Currency::pure ? std::abs(d) : d * d);
    }
  }
  return total;
}

/// Costs of each part alone, by enumeration of one value or two.
std::vector<PartCost> costs_alone(const Parts& parts) {
  std::vector<PartCost> out(parts.weight.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    for (std::size_t v = 0; v < parts.t.size(); ++v) {
      Sums enters = zero(parts);
      add(enters, parts, p, v, 1);
      out[p].add = std::max(out[p].add, loss(parts, enters));
      for (std::size_t w = 0; w < parts.t.size(); ++w) {
        Sums changes = enters;
        add(changes, parts, p, w, -1);
        out[p].replace = std::max(out[p].replace, loss(parts, changes));
      }
    }
  }
  return out;
}

Rational worst_replacement(const Parts& parts, bool may_move) {
  Rational worst = 0;
  for (std::size_t p = 0; p < parts.weight.size(); ++p) {
    for (std::size_t v = 0; v < parts.t.size(); ++v) {
      for (std::size_t r = 0; r < parts.weight.size(); ++r) {
        if (!may_move && r != p) continue;
        for (std::size_t w = 0; w < parts.t.size(); ++w) {
          Sums change = zero(parts);
          add(change, parts, p, v, 1);
          add(change, parts, r, w, -1);
          worst = std::max(worst, loss(parts, change));
        }
      }
    }
  }
  return worst;
}

/// Worst person with at most `left` more records, at most room[p] of them in part p, in at most `spread`
/// parts.
Rational worst_person(const Parts& parts, Sums change, std::vector<long> room, long left, std::size_t spread,
                      std::vector<bool> used) {
  Rational worst = loss(parts, change);
  if (left == 0) return worst;
  for (std::size_t p = 0; p < parts.weight.size(); ++p) {
    if (room[p] == 0 || (!used[p] && spread == 0)) continue;
    for (std::size_t v = 0; v < parts.t.size(); ++v) {
      Sums next = change;
      add(next, parts, p, v, 1);
      std::vector<long> less = room;
      --less[p];
      std::vector<bool> now = used;
      now[p] = true;
      worst = std::max(worst, worst_person(parts, next, less, left - 1, used[p] ? spread : spread - 1, now));
    }
  }
  return worst;
}

Parts histograms(Currency currency, const char* first, const char* second) {
  return {currency, {q(first), q(second)}, {{1, 0}, {0, 1}}};
}
Parts sums(const char* first, const char* second) {  // values -1 and 1, cost of adding = weight
  return {Currency::zcdp, {q(first), q(second)}, {{-1}, {1}}};
}

TEST(Accounting, ReplacementInsideAPartCounts) {
  EXPECT_EQ(parallel_replace_one(costs_alone(histograms(Currency::pure, "1", "0.1"))), 2);
  EXPECT_EQ(parallel_replace_one(costs_alone(histograms(Currency::pure, "1", "0"))), 2);
  EXPECT_EQ(parallel_replace_one(costs_alone(sums("1", "0.1"))), 4);
  EXPECT_EQ(parallel_replace_one(costs_alone(sums("1", "1"))), 4);
}

TEST(Accounting, ParallelEqualsEnumeration) {
  std::mt19937 random(20260101);
  const auto small = [&](long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(random);
  };
  for (int trial = 0; trial < 300; ++trial) {
    Parts parts{trial % 2 == 0 ? Currency::pure : Currency::zcdp, {}, {}};
    for (long p = small(1, 4); p > 0; --p) parts.weight.emplace_back(small(0, 9), 7);
    const long coordinates = small(1, 3);
    for (long v = small(1, 4); v > 0; --v) {
      auto& t = parts.t.emplace_back();
      for (long j = 0; j < coordinates; ++j) t.push_back(small(-3, 3));
    }
    for (Rational& weight : parts.weight) weight.canonicalize();
    const std::vector<PartCost> alone = costs_alone(parts);
    Rational entering = 0;
    for (const PartCost& part : alone) entering = std::max(entering, part.add);
    EXPECT_EQ(parallel_add_remove(alone), entering);
    EXPECT_EQ(parallel_replace_one(alone), worst_replacement(parts, true));
    EXPECT_EQ(parallel_fixed_membership(alone), worst_replacement(parts, false));
  }
}

TEST(Accounting, PersonEqualsEnumeration) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const Parts parts{currency, {q("0.5"), q("0.2"), q("0.3")}, {{2, 1}, {-1, 0}, {0, 1}}};
    const std::vector<PartCost> alone = costs_alone(parts);
    const std::vector<long> anywhere(3, 9);
    for (long k = 1; k <= 4; ++k) {
      EXPECT_EQ(parallel_person(currency, alone, k),
                worst_person(parts, zero(parts), anywhere, k, 3, std::vector<bool>(3, false)));
    }
    const std::vector<BoundedPart> bounded{{alone[0], 1}, {alone[1], 3}, {alone[2], 2}};
    for (std::size_t spread = 1; spread <= 3; ++spread) {
      EXPECT_EQ(parallel_person_bounded(currency, bounded, spread),
                worst_person(parts, zero(parts), {1, 3, 2}, 6, spread, std::vector<bool>(3, false)));
    }
  }
}

TEST(Accounting, SequentialIsExact) {
  const std::vector<Rational> tenths(10, q("0.1"));
  EXPECT_EQ(sequential(tenths), 1);
  EXPECT_EQ(sequential({}), 0);
}

TEST(Accounting, GroupsGrowLinearlyOrQuadratically) {
  EXPECT_EQ(group(Currency::pure, q("0.7"), 3), q("2.1"));
  EXPECT_EQ(group(Currency::zcdp, q("0.7"), 3), q("6.3"));
  EXPECT_THROW((void)group(Currency::pure, q("0.7"), 0), Error);
}

TEST(Accounting, PureToConcentrated) {
  EXPECT_EQ(rho_of_epsilon(q("0.1")), q("0.005"));
  EXPECT_EQ(rho_of_exponential_mechanism(q("0.1")), q("0.00125"));
}

/// Values of inf over alpha by mpmath with 60 digits, alpha by bisection of the derivative.
struct Conversion {
  const char* rho;
  const char* given;
  const char* expected;  // 18 significant digits
};

TEST(Accounting, DeltaIsTheInfimumRoundedUp) {
  const std::array<Conversion, 9> cases{{{"0.5", "1", "0.246846330782944487"},
                                         {"0.1", "1", "0.00893324577181836183"},
                                         {"0.01", "1", "0.000000000000166411397738799"},
                                         {"0.001", "0.5", "0.000000000000000000000000000001352390961513"},
                                         {"1", "5", "0.002612034506620487"},
                                         {"2", "0.25", "0.867135250405599167"},
                                         {"10", "30", "0.0000112177022401712021"},
                                         {"3", "0", "0.956236464657437423"},
                                         {"0", "1", "0"}}};
  for (const Conversion& c : cases) {
    const Rational delta = delta_of_rho(q(c.rho), q(c.given));
    const Rational truth = *parse_decimal(c.expected, 60);
    EXPECT_GE(delta, truth * (1 - q("0.000000000000002"))) << c.rho;  // the constant is cut at 18 digits
    EXPECT_LE(delta, truth * (1 + q("0.00000000001"))) << c.rho;
  }
}

TEST(Accounting, DeltaNeverLeavesItsRange) {
  EXPECT_EQ(delta_of_rho(q("1000000"), 0), 1);
  const Rational least = delta_of_rho(q("0.005"), 10);  // truly 1.8e-2173
  EXPECT_GT(least, 0);
  EXPECT_LT(least, Rational(1, 1000000000));
  EXPECT_THROW((void)delta_of_rho(-1, 1), Error);
  EXPECT_THROW((void)delta_of_rho(1, -1), Error);
}

TEST(Accounting, EpsilonIsTheLeastRoundedUpToNano) {
  const std::array<Conversion, 7> cases{{{"0.5", "0.000001", "5.22153444453016904"},
                                         {"0.1", "0.00001", "1.9142388320035978"},
                                         {"0.01", "0.000000001", "0.810174467867534164"},
                                         {"1", "0.000000000001", "10.984167343741939"},
                                         {"0.000001", "0.000001", "0.00449649398064861169"},
                                         {"5", "0.25", "8.33488372551185757"},
                                         {"0.02", "0.000000000000000001", "1.73280730123065584"}}};
  for (const Conversion& c : cases) {
    const Rational epsilon = epsilon_of_rho(q(c.rho), q(c.given));
    EXPECT_GT(epsilon, q(c.expected)) << c.rho;
    EXPECT_LE(epsilon, q(c.expected) + q("0.0000000011")) << c.rho;
  }
}

TEST(Accounting, EpsilonAtTheEdges) {
  EXPECT_EQ(epsilon_of_rho(0, q("0.1")), 0);
  EXPECT_EQ(epsilon_of_rho(5, 1), 0);
  EXPECT_THROW((void)epsilon_of_rho(1, 0), Error);
  EXPECT_THROW((void)epsilon_of_rho(-1, q("0.1")), Error);
  Integer tiny;
  mpz_ui_pow_ui(tiny.get_mpz_t(), 10, 300);
  const Rational epsilon = epsilon_of_rho(q("0.3"), Rational(Integer(1), tiny));
  EXPECT_GT(epsilon, q("28.9893172309404685"));
  EXPECT_LE(epsilon, q("28.989317232"));
}

TEST(Accounting, ConversionsAgreeWithEachOther) {
  // delta(epsilon(delta)) <= delta: going there and back never claims more privacy.
  for (const char* rho : {"0.003", "0.2", "4"}) {
    for (const char* delta : {"0.0000001", "0.01", "0.3"}) {
      EXPECT_LE(delta_of_rho(q(rho), epsilon_of_rho(q(rho), q(delta))), q(delta)) << rho << ' ' << delta;
    }
  }
}

}  // namespace
}  // namespace postern::owner
