#include "statistic/products/coupled_sums.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"

#include "statistic/products/search.hpp"

namespace postern::model {
namespace {

/// A study has eight columns at most; a document may state more.
constexpr std::size_t kMostSearched = 8;
/// Some seconds. Plans take a fraction of it.
constexpr std::size_t kEffort = 200'000;

Rational cost_of(const Rational& weight, const Rational& change, Currency currency) {
  return currency == Currency::pure ? Rational(weight * change) : Rational(weight * change * change);
}

/// Sums over all statistics of what a change by `linear(i)`, `quadratic(i, j)` costs.
template <class Linear, class Quadratic>
Rational total_price(const CoupledSums& sums, Currency currency, const Linear& linear,
                     const Quadratic& quadratic) {
  Rational total = 0;
  for (std::size_t i = 0; i < sums.columns().size(); ++i)
    total += cost_of(sums.linear()[i], linear(i), currency);
  for (const auto& [pair, weight] : sums.quadratic())
    total += cost_of(weight, quadratic(pair.first, pair.second), currency);
  return total;
}

/// A record with every |k| at its largest.
Rational at_the_ends(const CoupledSums& sums, const std::vector<LevelEnds>& ends, Currency currency) {
  const auto reach = [&](std::size_t i) { return Rational(ends[i].reach()); };
  return total_price(sums, currency, reach,
                     [&](std::size_t i, std::size_t j) { return Rational(reach(i) * reach(j)); });
}

/// Every statistic changing by its whole range at once.
Rational by_ranges(const CoupledSums& sums, const std::vector<LevelEnds>& ends, Currency currency) {
  const auto linear = [&](std::size_t i) { return Rational(ends[i].most - ends[i].least); };
  const auto quadratic = [&](std::size_t i, std::size_t j) {
    const std::int64_t reach = ends[i].reach();
    if (i == j) return Rational(reach * reach);
    const auto [least, most] = std::minmax({ends[i].least * ends[j].least, ends[i].least * ends[j].most,
                                            ends[i].most * ends[j].least, ends[i].most * ends[j].most});
    return Rational(most - least);
  };
  return total_price(sums, currency, linear, quadratic);
}

}  // namespace

bool of_plain_numbers(const LevelSum& sum) {
  return sum.transform.kind == Transform::Kind::identity && !sum.mirrored && sum.power > 0;
}

void check_product(const ProductSum& product, const Schema& schema) {
  if (product.first == product.second) {
    throw Error(ErrorCode::bad_value, {"a sum of products is of two different columns, and names '",
                                       from_study(product.first), "' twice"});
  }
  static_cast<void>(level_ends(schema.at(product.first)));
  static_cast<void>(level_ends(schema.at(product.second)));
}

std::size_t CoupledSums::place(const std::string& column) {
  const auto [found, added] = places_.try_emplace(column, columns_.size());
  if (added) {
    columns_.push_back(column);
    linear_.emplace_back(0);
  }
  return found->second;
}

void CoupledSums::add(const WeighedProduct& product) {
  const std::size_t i = place(product.sum->first);
  const std::size_t j = place(product.sum->second);
  quadratic_[{std::min(i, j), std::max(i, j)}] += product.weight;
}

void CoupledSums::add(const WeighedSum& sum) {
  const std::size_t i = place(sum.sum->column);
  if (sum.sum->power == 2) {
    quadratic_[{i, i}] += sum.weight;
  } else {
    linear_[i] += sum.weight;
  }
}

Rational worst_products(const CoupledSums& sums, const Schema& schema, Currency currency, bool add_remove) {
  std::vector<LevelEnds> ends;
  ends.reserve(sums.columns().size());
  for (const std::string& column : sums.columns()) ends.push_back(level_ends(schema.at(column)));
  if (add_remove) return at_the_ends(sums, ends, currency);
  Rational ranges = by_ranges(sums, ends, currency);
  if (ends.size() > kMostSearched) return ranges;
  return std::min(ranges, find_worst_pair(ProductCost(sums, ends, currency), kEffort).cost);
}

}  // namespace postern::model
