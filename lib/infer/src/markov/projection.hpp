#pragma once

#include "markov/law.hpp"

namespace postern::infer::markov {

enum class Distance { squared, absolute };

/// The margins of least distance to the tables: sum (y - n)^2 / (2 variance), or sum |y - n| / b. The noise
/// law of each value gives its weight, whichever distance is asked for. Proximal steps that grow, each solved
/// by its dual; the certificate bounds the distance to the optimum over all margins that laws can have.
[[nodiscard]] MarkovFit project(const Measurements& data, Distance distance, const MarkovOptions& options,
                                const Conversation& conversation);

/// The distance itself.
[[nodiscard]] double distance_to(const Measurements& data, const std::vector<double>& marginals);

}  // namespace postern::infer::markov
