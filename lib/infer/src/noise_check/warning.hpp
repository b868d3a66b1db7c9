#pragma once

#include <optional>

#include "postern/core/warning.hpp"
#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// noise-implausible, where the posterior implies noise that its law hardly ever gives. Nothing where one of
/// its warnings says why already: released values that contradict their study, or datasets that disagree.
/// `could_learn`: a prior whose scale is learned was not used, and could be.
[[nodiscard]] std::optional<Warning> implausible_noise(const Posterior& posterior, bool could_learn);

}  // namespace postern::infer
