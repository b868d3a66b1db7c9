#pragma once

#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// How draws are written: chain_1.csv ... in CmdStan's form, or chain_1.npy ..., arrays of doubles of shape
/// (draws, quantities) as NumPy reads them, in less than half the room and exact to the bit.
enum class DrawsFormat { csv, npy };
/// Throws bad_option.
[[nodiscard]] DrawsFormat parse_draws_format(const std::string& text);

/// About how many bytes the draws take.
[[nodiscard]] double draws_bytes(const Posterior& posterior, DrawsFormat format);

/// large-output where the draws would take more than 200 MB; nothing else. To be told before they are
/// written.
[[nodiscard]] std::vector<Warning> output_warnings(const Posterior& posterior, DrawsFormat format);

/// Whether a folder can be written there, before people wait for what goes into it. Throws as
/// write_posterior.
void check_writable(const std::string& folder, bool force);

/// Writes the chains, summary.csv, posterior.json, and what it was made from (release_1.json ...,
/// public_rows.json) into a new folder (or, with `force`, over an old one). Nothing half-written stays
/// behind. Throws output_exists, output_unwritable.
void write_posterior(const Posterior& posterior, const std::string& folder, bool force,
                     DrawsFormat format = DrawsFormat::csv);
/// Reads such a folder, which may come from a stranger: only regular files are opened, and what they hold
/// must be what the writer writes. Folders of earlier versions have no releases in them. Throws
/// input_missing, input_unreadable, and as release::parse_document.
[[nodiscard]] Posterior read_posterior(const std::string& folder);
/// What posterior.json holds: everything but draws, summary, releases and public rows.
[[nodiscard]] std::string posterior_facts(const Posterior& posterior);

}  // namespace postern::infer
