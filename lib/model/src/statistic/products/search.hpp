#pragma once

#include <cstddef>

#include "statistic/products/cost.hpp"

namespace postern::model {

struct WorstPair {
  Rational cost;
  bool exact = true;  ///< otherwise the search was given up: no vector costs more than this
};

/// What the worst vector costs, by branch and bound over boxes of vectors (cost.md, "The search").
/// It is given up after an effort of so many steps. Numbers are whole throughout, so every machine finds the
/// same.
[[nodiscard]] WorstPair find_worst_pair(const ProductCost& cost, std::size_t effort);

}  // namespace postern::model
