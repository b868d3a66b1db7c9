#include "product_sum.hpp"

#include <algorithm>
#include <optional>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"

namespace postern::model {
namespace {

Rational price(const Rational& weight, const Rational& change, Currency currency) {
  return currency == Currency::pure ? Rational(weight * change) : Rational(weight * change * change);
}

/// Sums over all statistics of what a change by `linear(i)`, `quadratic(i, j)` costs.
template <class Linear, class Quadratic>
Rational total_price(const CoupledSums& sums, Currency currency, const Linear& linear,
                     const Quadratic& quadratic) {
  Rational total = 0;
  for (std::size_t i = 0; i < sums.columns().size(); ++i)
    total += price(sums.linear()[i], linear(i), currency);
  for (const auto& [pair, weight] : sums.quadratic())
    total += price(weight, quadratic(pair.first, pair.second), currency);
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

/// The largest `scale` with scale * quadratic weight <= linear weight * linear weight for every pair; nothing
/// if a column of a pair is not summed itself.
std::optional<Rational> product_form(const CoupledSums& sums, const Rational& square,
                                     const Rational& product) {
  std::optional<Rational> least;
  for (const auto& [pair, weight] : sums.quadratic()) {
    const auto [i, j] = pair;
    const Rational ratio = sums.linear()[i] * sums.linear()[j] / (weight * (i == j ? square : product));
    if (!least || ratio < *least) least = ratio;
  }
  return least && sgn(*least) > 0 ? least : std::nullopt;
}

/// Products seen as entries of one matrix w w^T, w = (1, k): product_sum.md, "All at once".
std::optional<Rational> by_matrix(const CoupledSums& sums, const std::vector<LevelEnds>& ends,
                                  Currency currency) {
  const bool pure = currency == Currency::pure;
  std::optional<Rational> free = pure ? product_form(sums, 1, 1) : product_form(sums, 4, 2);
  if (!free) return std::nullopt;
  Rational whole = 0;
  Rational squares = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Rational one = price(sums.linear()[i], ends[i].reach(), currency);
    whole += one;
    squares += one * one;
  }
  if (sgn(whole) == 0) return std::nullopt;  // one level a column: the ranges are 0
  if (pure) {
    const Rational constant = std::min(*free, whole);
    return (constant + 2 * whole + (whole * whole + squares) / constant) / 2;
  }
  const Rational constant = std::min(*free, Rational(whole / 2));
  return 2 * constant + 2 * whole + whole * whole / (2 * constant);
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
  Rational worst = by_ranges(sums, ends, currency);
  if (const auto matrix = by_matrix(sums, ends, currency)) worst = std::min(worst, *matrix);
  return worst;
}

}  // namespace postern::model
