#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"
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
  bool learned = false;        ///< it is a mixture: its numbers are not those of the family's prior
  model::EncodedNumber number;
  std::vector<NoisyValue> sums;           ///< of sum k
  std::vector<NoisyValue> square_sums;    ///< of sum k^2
  std::vector<NoisyValue> mirrored_sums;  ///< of sum (k_last - k): binomial under add-remove
  std::vector<NoisyValue> counts;         ///< of n
  std::vector<NoisyValue> inside_counts;  ///< of the records at no level to which outside values are put
  std::variant<KnownTotal, LatentTotal> total;
};

}  // namespace postern::infer
