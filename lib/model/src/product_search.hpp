#pragma once

#include <cstddef>

#include "product_price.hpp"

namespace postern::model {

struct DearestVector {
  Rational cost;
  bool exact = true;  ///< otherwise the search was given up: no vector costs more than this
};

/// What the dearest vector costs, by branch and bound over boxes of vectors (product_sum.md, "The search").
/// It is given up after an effort of so many steps. Numbers are whole throughout, so every machine finds the
/// same.
[[nodiscard]] DearestVector find_dearest(const ProductPrice& price, std::size_t effort);

}  // namespace postern::model
