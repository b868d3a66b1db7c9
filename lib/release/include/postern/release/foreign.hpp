#pragma once

#include <string>

#include "postern/release/noise_law.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

/// A release made elsewhere, as it is declared: named by the SHA-256 of the declaration. Throws what
/// check_study and check_foreign throw.
[[nodiscard]] Release foreign_release(model::Study study, model::Foreign foreign);

/// The law of a block's noise, in units of `unit`.
[[nodiscard]] NoiseLaw noise_law(const model::ForeignBlock& block, double unit = 1);

/// "laplace noise of scale 2 in table of smoker x cancer, which OpenDP 0.16.0 is said to have added, was not
/// verified by us": what every answer from it says. Names are as the file has them.
[[nodiscard]] std::string unverified_claim(const Release& release);

}  // namespace postern::release
