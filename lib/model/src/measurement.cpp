#include "postern/model/measurement.hpp"

#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"

#include "level_sum.hpp"
#include "product_sum.hpp"
#include "rank_scores.hpp"

namespace postern::model {
namespace {

/// What one record adds to the cost of a block: lambda under pure DP, 1/(2 sigma^2) under zCDP. A coordinate
/// that changes by one costs this much, and a record changes a coordinate by at most one.
Rational unit_cost(const Noise& noise, Currency currency) {
  const bool fits =
      noise.kind == (currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian);
  if (!fits) {
    throw Error(ErrorCode::currency_mismatch,
                {"discrete Laplace noise is paid in epsilon and discrete Gaussian noise in rho"});
  }
  if (sgn(noise.parameter) <= 0) throw Error(ErrorCode::bad_value, {"a noise parameter must be positive"});
  if (currency == Currency::pure) return noise.parameter;
  return 1 / (2 * noise.parameter);
}

/// Largest sum of the weights of two different levels of one column: what replacing its level can cost.
Rational two_largest(const std::map<std::uint32_t, Rational>& weights, std::uint32_t levels) {
  if (levels < 2) return 0;
  Rational first = 0;
  Rational second = 0;
  for (const auto& [level, weight] : weights) {
    if (weight > first) {
      second = first;
      first = weight;
    } else if (weight > second) {
      second = weight;
    }
  }
  return first + second;
}

Rational largest(const std::map<std::uint32_t, Rational>& weights) {
  Rational most = 0;
  for (const auto& [level, weight] : weights) most = std::max(most, weight);
  return most;
}

/// The weight of each block, gathered by how a record touches it.
struct Weights {
  Rational tables;          ///< tables: one cell of each, always
  Rational movable_tables;  ///< of these, tables with at least two cells
  std::map<std::string, std::map<std::uint32_t, Rational>> level_counts;  ///< by column and level
  std::map<std::string, std::vector<WeighedSum>> level_sums;              ///< by column
  std::vector<WeighedProduct> products;
  Rational record_counts;
};

/// The draw of one candidate by its score: epsilon = scale R, rho = epsilon^2 / 8 (rank_scores.md).
Rational choice_cost(const RankScores& scores, const Rational& scale, const PrivacyPolicy& policy) {
  const Rational epsilon = scale * score_range(scores, policy.adjacency);
  return policy.currency == Currency::pure ? epsilon : Rational(epsilon * epsilon / 8);
}

void add(Weights& weights, const Table& table, const Rational& weight, const Schema& schema) {
  weights.tables += weight;
  if (schema.domain(table.columns).cells() > 1) weights.movable_tables += weight;
}
void add(Weights& weights, const LevelCount& count, const Rational& weight, const Schema& /*schema*/) {
  weights.level_counts[count.column][count.level] += weight;
}
void add(Weights& weights, const LevelSum& sum, const Rational& weight, const Schema& /*schema*/) {
  if ((mutant(3) && sum.power == 2) || (mutant(26) && sum.mirrored) || (mutant(32) && sum.power == 0)) return;
  weights.level_sums[sum.column].push_back({&sum, weight});
}
void add(Weights& weights, const RecordCount& /*count*/, const Rational& weight, const Schema& /*schema*/) {
  weights.record_counts += weight;
}
void add(Weights& weights, const ProductSum& sum, const Rational& weight, const Schema& /*schema*/) {
  if (mutant(31)) return;
  weights.products.push_back({&sum, weight});
}
void add(Weights& /*weights*/, const RankScores& /*scores*/, const Rational& /*weight*/,
         const Schema& /*schema*/) {}

/// The products, with the sums and squares of the columns that they join taken out of `weights`.
CoupledSums take_coupled(Weights& weights) {
  CoupledSums coupled;
  for (const WeighedProduct& product : weights.products) coupled.add(product);
  for (auto& [column, sums] : weights.level_sums) {
    if (!coupled.joins(column)) continue;
    const auto apart = std::stable_partition(sums.begin(), sums.end(),
                                             [](const WeighedSum& s) { return !of_plain_numbers(*s.sum); });
    for (auto it = apart; it != sums.end(); ++it) coupled.add(*it);
    sums.erase(apart, sums.end());
  }
  std::erase_if(weights.level_sums, [](const auto& entry) { return entry.second.empty(); });
  return coupled;
}

Weights gather(const Measurement& measurement, const Schema& schema, Currency currency) {
  Weights weights;
  for (const Block& block : measurement.blocks) {
    if (std::holds_alternative<RankScores>(block.statistic)) continue;  // see choice_cost
    const Rational weight = unit_cost(block.noise, currency);
    std::visit([&](const auto& statistic) { add(weights, statistic, weight, schema); }, block.statistic);
  }
  return weights;
}

}  // namespace

std::string_view to_text(NoiseKind kind) {
  if (kind == NoiseKind::exponential) return "exponential";
  return kind == NoiseKind::discrete_laplace ? "discrete-laplace" : "discrete-gaussian";
}

std::string_view to_text(Mechanism mechanism) {
  if (mechanism == Mechanism::exponential) return "exponential";
  return mechanism == Mechanism::laplace ? "laplace" : "gaussian";
}

std::size_t statistic_size(const Statistic& statistic, const Schema& schema) {
  if (const auto* table = std::get_if<Table>(&statistic)) return schema.domain(table->columns).cells();
  if (const auto* count = std::get_if<LevelCount>(&statistic)) {
    if (count->level >= schema.at(count->column).levels()) {
      throw Error(ErrorCode::bad_value, {"a level count names a level that column '",
                                         from_study(count->column), "' does not have"});
    }
  } else if (const auto* sum = std::get_if<LevelSum>(&statistic)) {
    if (sum->power < 0 || sum->power > 2 || (sum->mirrored && sum->power != 1))
      throw Error(ErrorCode::bad_value, {"a level sum is of numbers or of their squares"});
    static_cast<void>(level_terms(*sum, schema));  // refuses columns that cannot be summed
  } else if (const auto* product = std::get_if<ProductSum>(&statistic)) {
    check_product(*product, schema);
  } else if (const auto* scores = std::get_if<RankScores>(&statistic)) {
    check_model(Quantiles{scores->column, {scores->at}}, schema);
  }
  return 1;
}

Rational cost(const Measurement& measurement, const Schema& schema, const PrivacyPolicy& policy) {
  Weights weights = gather(measurement, schema, policy.currency);
  const bool add_remove = policy.adjacency == Adjacency::add_remove || mutant(4);
  Rational worst = add_remove ? weights.tables : Rational(2 * weights.movable_tables);
  for (const auto& [column, by_level] : weights.level_counts) {
    worst += add_remove ? largest(by_level) : two_largest(by_level, schema.at(column).levels());
  }
  if (!weights.products.empty())
    worst += worst_products(take_coupled(weights), schema, policy.currency, add_remove);
  for (const auto& [column, sums] : weights.level_sums) {
    worst += add_remove || mutant(24) ? worst_level(sums, schema, policy.currency)
                                      : worst_pair(sums, schema, policy.currency);
  }
  if (add_remove && !(mutant(25) && !weights.level_sums.empty())) worst += weights.record_counts;
  for (const Block& block : measurement.blocks) {
    const auto* scores = std::get_if<RankScores>(&block.statistic);
    if ((scores != nullptr) != (block.noise.kind == NoiseKind::exponential))
      throw Error(ErrorCode::bad_value, {"scores are chosen by, and only by, the exponential mechanism"});
    if (scores == nullptr) continue;
    if (sgn(block.noise.parameter) <= 0) throw Error(ErrorCode::bad_value, {"a scale must be positive"});
    worst += choice_cost(*scores, block.noise.parameter, policy);
  }
  // All k records of a unit may be alike: |D| = k, so the loss is k times (pure) or k^2 times (zCDP) that of
  // one.
  const Rational k = records_per_unit(policy.unit);
  return policy.currency == Currency::pure ? Rational(worst * k) : Rational(worst * k * k);
}

}  // namespace postern::model
