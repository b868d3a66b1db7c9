#pragma once

#include <string>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// Writes chain_1.csv ... in CmdStan's form, summary.csv and posterior.json into a new folder (or, with
/// `force`, over an old one). Nothing half-written stays behind. Throws output_exists, output_unwritable.
void write_posterior(const Posterior& posterior, const std::string& folder, bool force);
/// What posterior.json holds: everything but draws and summary.
[[nodiscard]] std::string posterior_facts(const Posterior& posterior);

}  // namespace postern::infer
