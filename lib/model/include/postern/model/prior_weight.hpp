#pragma once

#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/family.hpp"

namespace postern::model {

/// The model with this prior instead of its own: (a, b), one alpha a cell or one for all, a family's numbers
/// in order, or what vector_family.hpp's with_prior takes. @pre as many as the model needs
[[nodiscard]] Model with_numbers(Model model, const std::vector<Rational>& prior);

/// How many records the prior is worth; of several unknowns the one about which it says most. 0 where there
/// is no prior.
[[nodiscard]] double prior_records(const Model& model);

/// The numbers of a prior with the same centre that is worth `factor` times as many records, in the order of
/// with_numbers. @pre factor > 0; the model has a prior
[[nodiscard]] std::vector<Rational> scaled_prior(const Model& model, const Rational& factor);

}  // namespace postern::model
