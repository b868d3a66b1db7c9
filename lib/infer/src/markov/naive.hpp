#pragma once

#include <span>

#include "markov/law.hpp"

namespace postern::infer::markov {

/// The nearest point of {w >= 0, sum w = total}, in place.
void project_to_simplex(std::span<double> v, double total);
/// The margins of the tables, each projected to the simplex, as if they were the data's: maximum likelihood
/// with a ridge.
[[nodiscard]] MarkovFit naive(const Measurements& data, const MarkovOptions& options,
                              const Conversation& conversation);
/// The same from uniformly random margins.
[[nodiscard]] MarkovFit random(const Measurements& data, const MarkovOptions& options,
                               const Conversation& conversation);
/// The law of given margins, one a cell of the model: min A(theta) - theta . margins + ridge |theta|^2.
[[nodiscard]] MarkovFit fit_margins(const Measurements& data, Law& law, std::vector<double> margins,
                                    double ridge, double tolerance, int most);

}  // namespace postern::infer::markov
