#include <random>
#include <string>

#include <gtest/gtest.h>
#include <openssl/core_names.h>

#include "people/cmac.hpp"

namespace postern::owner {
namespace {

using Key = std::array<std::uint8_t, BatchedCmac::kBlock>;

std::string unhex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return out;
}

PersonDigest tag(const std::string& bytes) {
  PersonDigest out{0, 0};
  for (std::size_t i = 0; i < 8; ++i) {
    out.high = out.high << 8U | static_cast<std::uint8_t>(bytes[i]);
    out.low = out.low << 8U | static_cast<std::uint8_t>(bytes[i + 8]);
  }
  return out;
}

std::vector<PersonDigest> digest_all(const Key& key, const std::vector<std::string>& messages) {
  const std::vector<std::string_view> views(messages.begin(), messages.end());
  std::vector<PersonDigest> out(messages.size());
  BatchedCmac(key).digest(views, out);
  return out;
}

TEST(BatchedCmac, GivesThePublishedTags) {  // RFC 4493, section 4
  const std::string bytes = unhex("2b7e151628aed2a6abf7158809cf4f3c");
  Key key{};
  std::copy(bytes.begin(), bytes.end(), key.begin());
  const std::string text = unhex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f24"
      "45df4f"
      "9b17ad2b417be66c3710");
  const auto tags = digest_all(key, {"", text.substr(0, 16), text.substr(0, 40), text});
  EXPECT_EQ(tags[0], tag(unhex("bb1d6929e95937287fa37d129b756746")));
  EXPECT_EQ(tags[1], tag(unhex("070a16b46b4d4144f79bdd9dd04a287c")));
  EXPECT_EQ(tags[2], tag(unhex("dfa66747de9ae63030ca32611497c827")));
  EXPECT_EQ(tags[3], tag(unhex("51f0bebf7e3b9d92fc49741779363cfe")));
}

/// The same by the library, message by message.
std::string by_library(EVP_MAC* mac, const Key& key, const std::string& message) {
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  std::string cipher = "AES-128-CBC";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher.data(), 0),
                                   OSSL_PARAM_construct_end()};
  std::string out(16, '\0');
  std::size_t size = 0;
  EXPECT_EQ(EVP_MAC_init(context, key.data(), key.size(), parameters), 1);
  EXPECT_EQ(EVP_MAC_update(context, reinterpret_cast<const unsigned char*>(message.data()), message.size()),
            1);
  EXPECT_EQ(EVP_MAC_final(context, reinterpret_cast<unsigned char*>(out.data()), &size, out.size()), 1);
  EVP_MAC_CTX_free(context);
  return out;
}

TEST(BatchedCmac, AgreesWithTheLibrary) {
  std::mt19937_64 random(3);
  Key key{};
  for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
  std::vector<std::string> messages;
  for (int i = 0; i < 5000; ++i) {
    std::string message(random() % 70, '\0');
    for (char& byte : message) byte = static_cast<char>(random());
    messages.push_back(message);
  }
  messages.emplace_back(100'000, 'x');
  const auto tags = digest_all(key, messages);
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "CMAC", nullptr);
  ASSERT_NE(mac, nullptr);
  for (std::size_t i = 0; i < messages.size(); i += i % 7 + 1) {
    ASSERT_EQ(tags[i], tag(by_library(mac, key, messages[i]))) << messages[i].size();
  }
  EVP_MAC_free(mac);
}

}  // namespace
}  // namespace postern::owner
