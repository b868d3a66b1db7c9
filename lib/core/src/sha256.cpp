#include "postern/core/sha256.hpp"

#include <openssl/evp.h>

#include "postern/core/error.hpp"

namespace postern {

Digest sha256(std::string_view bytes) {
  Digest digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorCode::internal, {"the SHA-256 of OpenSSL failed"});
  }
  return digest;
}

std::string to_hex(const std::uint8_t* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  return text;
}

}  // namespace postern
