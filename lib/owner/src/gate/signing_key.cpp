#include "postern/owner/signing_key.hpp"

#include <fstream>
#include <iterator>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/release/signature.hpp"

namespace postern::owner {
namespace {

constexpr off_t kLargest = 1 << 16;

void check_file(const std::string& path) {
  const Quotation name = from_option(path);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw Error(ErrorCode::input_missing, {"there is no signing key '", name, "'"});
  if (!S_ISREG(status.st_mode) || status.st_size > kLargest)
    throw Error(ErrorCode::input_unreadable, {"'", name, "' is not the file of a signing key"});
}

/// A public key is told by its first line, whoever may read it.
void refuse_public_key(const std::string& pem, const std::string& path) {
  if (!pem.starts_with("-----BEGIN PUBLIC KEY-----")) return;
  throw Error(ErrorCode::signature_invalid,
              {"'", from_option(path),
               "' is a public key, which checks signatures; sign with the private key that it was made of"});
}

void refuse_exposed_key(const std::string& path) {
  const Quotation name = from_option(path);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0) return;
  throw Error(ErrorCode::signature_invalid,
              {"the signing key '", name, "' may be used by others; run: chmod 600 '", name, "'"});
}

}  // namespace

std::string read_signing_key(const std::string& path, const model::Study& study) {
  check_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(ErrorCode::input_unreadable, {"the signing key '", from_option(path), "' cannot be read"});
  std::string pem((std::istreambuf_iterator<char>(in)), {});
  refuse_public_key(pem, path);
  refuse_exposed_key(path);
  release::check_signing_key(pem, study);
  return pem;
}

}  // namespace postern::owner
