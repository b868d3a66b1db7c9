#include "postern/release/signature.hpp"

#include <gtest/gtest.h>

#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "refusal.hpp"
#include "releases.hpp"
#include "test_key.hpp"

namespace postern::release {
namespace {

using testing::kLockedPrivateKey;
using testing::kOtherPrivateKey;
using testing::kPrivateKey;
using testing::replaced;
using testing::smoking_release;

Release signed_release() {
  Release release = smoking_release();
  sign(release, kPrivateKey);
  return release;
}

TEST(Signature, HoldsThroughTheDocument) {
  const Release read = parse_document(to_document(signed_release()));
  EXPECT_TRUE(signature_holds(read));
  EXPECT_TRUE(all_passed(verify(read)));
  EXPECT_EQ(read.signature->key_id.size(), 16u);
}

TEST(Signature, CoversMembersOfTheFuture) {
  Release release = smoking_release();
  release.extensions = R"({"software":{"build":"x"},"zone":[1]})";
  sign(release, kPrivateKey);
  const std::string text = to_document(release);
  EXPECT_TRUE(signature_holds(parse_document(text)));
  EXPECT_FALSE(signature_holds(parse_document(replaced(text, "\"zone\":[1]", "\"zone\":[2]"))));
}

TEST(Signature, BreaksWithAnyChange) {
  const std::string text = to_document(signed_release());
  EXPECT_FALSE(signature_holds(parse_document(replaced(text, "[1234]", "[1235]"))));
  EXPECT_FALSE(signature_holds(parse_document(replaced(text, "\"value\":5000", "\"value\":5001"))));
  EXPECT_FALSE(signature_holds(
      parse_document(replaced(text, "\"counted_by\":\"postern\"", "\"counted_by\":\"caller\""))));
}

TEST(Signature, DoesNotPassToAnotherKey) {
  Release release = signed_release();
  Release other = smoking_release();
  sign(other, kOtherPrivateKey);
  EXPECT_TRUE(signature_holds(other));
  EXPECT_NE(other.signature->key_id, release.signature->key_id);
  release.signature->public_key = other.signature->public_key;
  EXPECT_FALSE(signature_holds(release));  // key id of another key
  release.signature->key_id = other.signature->key_id;
  EXPECT_FALSE(signature_holds(release));  // value of another key
  release.signature->value = other.signature->value;
  EXPECT_TRUE(signature_holds(release));
  release.signature->value.pop_back();
  EXPECT_FALSE(signature_holds(release));
}

TEST(Signature, IsHeldAgainstTheOwnersKey) {
  using testing::kOtherPublicKey;
  using testing::kPublicKey;
  Release release = signed_release();
  EXPECT_EQ(public_key_digits(kPublicKey), release.signature->public_key);
  EXPECT_TRUE(verify_key(release, kPublicKey).passed);
  EXPECT_FALSE(verify_key(release, kOtherPublicKey).passed);
  EXPECT_FALSE(verify_key(smoking_release(), kPublicKey).passed);  // not signed
  release.created = "2026-01-02";
  EXPECT_FALSE(verify_key(release, kPublicKey).passed);  // changed since
  for (const char* none : {kPrivateKey, "", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"}) {
    EXPECT_REFUSAL(verify_key(release, none), ErrorCode::signature_invalid);
  }
}

TEST(Signature, MemberIsReadStrictly) {
  const std::string text = to_document(signed_release());
  EXPECT_REFUSAL(parse_document(replaced(text, "\"algorithm\":\"ed25519\"", "\"algorithm\":\"none\"")),
                 ErrorCode::release_malformed);
  EXPECT_REFUSAL(parse_document(replaced(text, "\"algorithm\":\"ed25519\"",
                                         "\"algorithm\":\"ed25519\",\"comment\":\"trust me\"")),
                 ErrorCode::release_malformed);
  const std::string key_id = signed_release().signature->key_id;
  EXPECT_REFUSAL(parse_document(replaced(text, "\"key_id\":\"" + key_id, "\"key_id\":\"")),
                 ErrorCode::release_malformed);
}

TEST(Signature, RefusesOtherKeysWithoutAsking) {
  Release release = smoking_release();
  EXPECT_REFUSAL(sign(release, "not a key"), ErrorCode::signature_invalid);
  EXPECT_REFUSAL(sign(release, ""), ErrorCode::signature_invalid);
  EXPECT_REFUSAL(sign(release, kLockedPrivateKey), ErrorCode::signature_invalid);
  EXPECT_FALSE(release.signature);
  EXPECT_FALSE(signature_holds(release));
}

}  // namespace
}  // namespace postern::release
