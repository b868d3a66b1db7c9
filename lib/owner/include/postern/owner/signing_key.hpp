#pragma once

#include <string>

#include "postern/model/study.hpp"

namespace postern::owner {

/// The PEM text of an ed25519 private key, proven to sign a release of this study before anything is charged.
/// A file that others may read or write is refused: they could sign in the owner's name. Throws
/// input_missing, input_unreadable, signature_invalid.
[[nodiscard]] std::string read_signing_key(const std::string& path, const model::Study& study);

}  // namespace postern::owner
