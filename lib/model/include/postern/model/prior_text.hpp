#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// Is it "learned": the default prior whose scale is learned from the release?
[[nodiscard]] bool says_learned(const std::string& text);

/// A prior in words: "beta 1 1", "dirichlet 1" (the same for every cell), "dirichlet 1 2 3", "bdeu 10" of a
/// network, or the numbers alone. Commas and parentheses read as spaces. Gives (a, b), one alpha a cell, a
/// family's numbers in order, or what multivariate_normal.hpp's with_prior takes. Throws bad_prior.
[[nodiscard]] std::vector<Rational> parse_prior(const std::string& text, const Study& study);

}  // namespace postern::model
