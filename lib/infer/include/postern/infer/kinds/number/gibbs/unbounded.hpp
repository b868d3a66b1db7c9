#pragma once

#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

/// MCMC draws of theta behind sums of clamped, mapped, dropped or rounded numbers: theta (mean and variance
/// for a family with squares), then n of every set where it is latent. The problems are record sets that
/// share law, prior and levels. See JointNumber and JointSquares. Throws engine_unsuitable, interrupted.
[[nodiscard]] ChainRun draw_joint_number(const std::vector<NumberProblem>& problems,
                                         const DriverOptions& options, const Conversation& conversation);
[[nodiscard]] inline ChainRun draw_joint_number(const NumberProblem& problem, const DriverOptions& options,
                                                const Conversation& conversation) {
  return draw_joint_number(std::vector{problem}, options, conversation);
}

}  // namespace postern::infer
