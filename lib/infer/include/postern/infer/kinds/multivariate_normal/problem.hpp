#pragma once

#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/wishart.hpp"

namespace postern::infer {

using model::WishartPrior;

/// One record set: each coordinate of a record is encoded to a level that adds k_i; the sums of k_i and of
/// k_i k_j are seen through independent noise, any number of times.
struct VectorRecords {
  std::vector<model::EncodedNumber> numbers;      ///< one a column
  std::vector<std::vector<NoisyValue>> sums;      ///< of sum k_i
  std::vector<std::vector<NoisyValue>> products;  ///< of sum k_i k_j, i <= j, row by row
  std::vector<NoisyValue> counts;                 ///< of n
  std::variant<KnownTotal, LatentTotal> total;
};

/// Records x ~ Normal(mu, Sigma) in disjoint sets, all behind one (mu, Sigma).
struct VectorProblem {
  WishartPrior prior;
  std::vector<VectorRecords> sets;
};

}  // namespace postern::infer
