#pragma once

#include <string>
#include <string_view>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/infer.hpp"

namespace postern::infer {

/// How chains run to give a posterior its draws by the engine of this name.
[[nodiscard]] DriverOptions driver_for(const Posterior& out, const InferOptions& options,
                                       std::string_view engine);

/// The draws of chains, what made them and why, and their summary with words of warning.
void take_chains(Posterior& out, ChainRun run, std::string_view engine, const std::string& why,
                 const InferOptions& options);

}  // namespace postern::infer
