#include "statistic/sums/rule.hpp"

#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/sums.hpp"

#include "statistic/products/coupled_sums.hpp"
#include "statistic/sums/cost.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostOfColumn = 16;  ///< each holds a term for every level

using SumsByColumn = std::map<std::string, std::vector<WeighedSum>>;

/// The products, with the sums and squares of the columns that they join taken out of `sums`.
CoupledSums take_coupled(const std::vector<WeighedProduct>& products, SumsByColumn& sums_of) {
  CoupledSums coupled;
  for (const WeighedProduct& product : products) coupled.add(product);
  for (auto& [column, sums] : sums_of) {
    if (!coupled.joins(column)) continue;
    const auto apart = std::stable_partition(sums.begin(), sums.end(),
                                             [](const WeighedSum& s) { return !of_plain_numbers(*s.sum); });
    for (auto it = apart; it != sums.end(); ++it) coupled.add(*it);
    sums.erase(apart, sums.end());
  }
  std::erase_if(sums_of, [](const auto& entry) { return entry.second.empty(); });
  return coupled;
}

bool left_out_by_mutant(const LevelSum& sum) {
  return (mutant(3) && sum.power == 2) || (mutant(26) && sum.mirrored) || (mutant(32) && sum.power == 0);
}

class SumsRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    SumsByColumn sums_of;
    std::vector<WeighedProduct> products;
    for (const WeighedStatistic& one : statistics) {
      if (const auto* sum = one.statistic->as<LevelSum>()) {
        if (!left_out_by_mutant(*sum)) sums_of[sum->column].push_back({sum, one.weight});
      } else if (!mutant(31)) {
        products.push_back({&one.statistic->get<ProductSum>(), one.weight});
      }
    }
    for (const auto& [column, sums] : sums_of) {
      if (sums.size() > kMostOfColumn)
        throw Error(ErrorCode::bad_value,
                    {"more than sixteen sums are of the column '", from_study(column), "'"});
    }
    const bool add_remove = policy.adjacency == Adjacency::add_remove || mutant(4);
    Rational total = 0;
    if (!products.empty())
      total += worst_products(take_coupled(products, sums_of), schema, policy.currency, add_remove);
    for (const auto& [column, sums] : sums_of) {
      total += add_remove || mutant(24) ? worst_level(sums, schema, policy.currency)
                                        : worst_pair(sums, schema, policy.currency);
    }
    return total;
  }
};

}  // namespace

const CostRule& sums_rule() {
  static const SumsRule rule;
  return rule;
}

std::string steps_of(const Rational& step) { return "steps of " + to_decimal(step); }

Rational grid_of(const Column& column) {
  const auto* real = std::get_if<RealRange>(&column.values);
  return real == nullptr ? Rational(1) : real->grid;
}

}  // namespace postern::model
