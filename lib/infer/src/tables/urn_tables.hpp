#pragma once

#include <cstdint>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// How many tables are taken in a Chinese restaurant of weight a by `count` guests (Antoniak 1974): the sum
/// of independent Bernoulli(a / (a + i)), i = 0..count - 1. Takes log count steps, and one for each guest who
/// takes a table where these are fewer, else for each who does not.
[[nodiscard]] std::int64_t draw_urn_tables(double a, std::int64_t count, Rng& rng);

}  // namespace postern::infer
