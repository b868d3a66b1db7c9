#pragma once

#include "postern/core/stop.hpp"
#include "postern/infer/driver.hpp"
#include "postern/infer/number_problem.hpp"

namespace postern::infer {

/// MCMC draws of theta behind sums of clamped, mapped or rounded numbers: theta (mean and variance for a
/// family with squares), then n if latent. See JointNumber and JointSquares. Throws engine_unsuitable,
/// interrupted.
[[nodiscard]] ChainRun draw_joint_number(const NumberProblem& problem, const DriverOptions& options,
                                         const Conversation& conversation);

}  // namespace postern::infer
