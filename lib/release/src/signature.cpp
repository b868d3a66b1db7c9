#include "postern/release/signature.hpp"

#include <array>
#include <memory>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"

#include "release_json.hpp"

namespace postern::release {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
constexpr std::size_t kKeySize = 32;
constexpr std::size_t kSignatureSize = 64;

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string signed_bytes(const Release& release) {
  using namespace std::string_literals;
  return "postern-release-v1\0"s + to_canonical(release_json(release, WithSignature::no));
}

/// Never asks at a terminal for a passphrase.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

Key read_private_key(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  Key key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr) : nullptr, EVP_PKEY_free);
  ERR_clear_error();
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) {
    throw Error(ErrorCode::signature_invalid,
                {"the signing key is not an ed25519 private key in PEM without a passphrase; make one "
                 "with: openssl genpkey -algorithm ed25519 -out key.pem"});
  }
  return key;
}

/// The 32 bytes of a public key.
std::string raw_public_key(const Key& key) {
  std::array<unsigned char, kKeySize> raw{};
  std::size_t size = raw.size();
  if (EVP_PKEY_get_raw_public_key(key.get(), raw.data(), &size) != 1) return {};
  return {reinterpret_cast<const char*>(raw.data()), size};
}

std::string key_id_of(const std::string& raw_key) { return to_hex(sha256(raw_key)).substr(0, 16); }

std::string from_hex(const std::string& hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return out;
}

}  // namespace

void sign(Release& release, const std::string& private_key_pem) {
  const Key key = read_private_key(private_key_pem);
  const std::string message = signed_bytes(release);
  const std::string public_key = raw_public_key(key);
  std::array<unsigned char, kSignatureSize> value{};
  std::size_t value_size = value.size();
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || public_key.empty() ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), value.data(), &value_size, bytes_of(message), message.size()) != 1) {
    ERR_clear_error();
    throw Error(ErrorCode::internal, {"OpenSSL could not sign the release"});
  }
  release.signature = Signature{key_id_of(public_key), to_hex(bytes_of(public_key), public_key.size()),
                                to_hex(value.data(), value_size)};
}

void check_signing_key(const std::string& private_key_pem, const model::Study& study) {
  Release rehearsal;
  rehearsal.release_id = std::string(32, '0');
  rehearsal.ledger = {1, std::string(64, '0'), std::string(32, '0')};
  rehearsal.study = study;
  sign(rehearsal, private_key_pem);
}

std::string public_key_digits(const std::string& public_key_pem) {
  const Bio bio(BIO_new_mem_buf(public_key_pem.data(), static_cast<int>(public_key_pem.size())), BIO_free);
  const Key key(bio ? PEM_read_bio_PUBKEY(bio.get(), nullptr, no_passphrase, nullptr) : nullptr,
                EVP_PKEY_free);
  ERR_clear_error();
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) {
    throw Error(
        ErrorCode::signature_invalid,
        {"the key is not an ed25519 public key in PEM; the owner makes it of the signing key with: openssl "
         "pkey -in key.pem -pubout -out owner.pub"});
  }
  const std::string raw = raw_public_key(key);
  return to_hex(bytes_of(raw), raw.size());
}

bool signature_holds(const Release& release) {
  if (!release.signature) return false;
  const Signature& signature = *release.signature;
  const std::string raw = from_hex(signature.public_key);
  const std::string value = from_hex(signature.value);
  if (raw.size() != kKeySize || value.size() != kSignatureSize || key_id_of(raw) != signature.key_id)
    return false;
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(raw), raw.size()),
                EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const std::string message = signed_bytes(release);
  const bool holds =
      key && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytes_of(value), value.size(), bytes_of(message), message.size()) == 1;
  ERR_clear_error();
  return holds;
}

}  // namespace postern::release
