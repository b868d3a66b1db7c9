#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic/sums.hpp"

#include "statistic/sums/cost.hpp"

namespace postern::model {

/// A sum of products and what a change of it by D costs: weight |D| (pure) or weight D^2 (zCDP).
struct WeighedProduct {
  const ProductSum* sum = nullptr;
  Rational weight;
};

/// A sum of k or k^2 itself, not of a function of the number.
[[nodiscard]] bool of_plain_numbers(const LevelSum& sum);
/// Refuses a product of a column with itself, and columns that cannot be summed.
void check_product(const ProductSum& product, const Schema& schema);

/// The sums, squares and products of columns that meet in products. One record sets all of them, so they are
/// priced together. Noise drawn twice for one sum counts twice.
class CoupledSums {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;  ///< i < j: a product; i = i: a square

  void add(const WeighedProduct& product);
  [[nodiscard]] bool joins(const std::string& column) const { return places_.count(column) != 0; }
  /// @pre of_plain_numbers, and its column is joined
  void add(const WeighedSum& sum);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<Rational>& linear() const { return linear_; }  ///< weights, one a column
  [[nodiscard]] const std::map<Pair, Rational>& quadratic() const { return quadratic_; }

 private:
  std::size_t place(const std::string& column);

  std::map<std::string, std::size_t> places_;
  std::vector<std::string> columns_;
  std::vector<Rational> linear_;
  std::map<Pair, Rational> quadratic_;
};

/// The most that one record can cost in all of them together: exact, except that under replace-one it is a
/// bound where the search for it is given up, which for plans was never seen (cost.md).
[[nodiscard]] Rational worst_products(const CoupledSums& sums, const Schema& schema, Currency currency,
                                      bool add_remove);

}  // namespace postern::model
