#pragma once

#include <string>

#include "postern/release/release.hpp"

namespace postern::release {

/// Signs with an ed25519 private key in PEM. The signature covers "postern-release-v1\0" and the canonical
/// bytes of the document without its signature member.
void sign(Release& release, const std::string& private_key_pem);
/// Proves on an empty release of this study that the key signs, before anything is paid for. Throws
/// signature_invalid.
void check_signing_key(const std::string& private_key_pem, const model::Study& study);
/// True if the release carries a signature that its embedded public key verifies.
[[nodiscard]] bool signature_holds(const Release& release);
/// The 64 hex digits of an ed25519 public key in PEM, as a signature carries them. Throws signature_invalid.
[[nodiscard]] std::string public_key_digits(const std::string& public_key_pem);

}  // namespace postern::release
