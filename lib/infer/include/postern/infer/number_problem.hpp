#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "postern/infer/exact/count_posterior.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/number_law.hpp"

namespace postern::infer {

/// theta ~ prior; n records t_i ~ law(theta), each encoded to a level that adds k_i; the sums are seen
/// through independent noise, any number of times. What the engines of numbers work on.
struct NumberProblem {
  std::shared_ptr<const model::NumberLaw> law;
  std::size_t parameters = 1;  ///< of theta
  bool whole = false;          ///< t is a whole number
  bool squares = false;        ///< the law is a SquaresLaw, and sums of k^2 are seen
  model::Hyper prior{};        ///< public rows are in it
  model::EncodedNumber number;
  std::vector<Sight> sums;           ///< of sum k
  std::vector<Sight> square_sums;    ///< of sum k^2
  std::vector<Sight> mirrored_sums;  ///< of sum (k_last - k): binomial under add-remove
  std::vector<Sight> counts;         ///< of n
  std::vector<Sight> inside_counts;  ///< of the records at no level to which outside values are put
  std::variant<KnownTotal, LatentTotal> total;
};

}  // namespace postern::infer
