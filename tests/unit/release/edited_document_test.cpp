// What one edited byte of a document can do: be refused, be found by verify, or make another legal document.

#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/signature.hpp"
#include "postern/release/verify.hpp"

#include "releases.hpp"
#include "test_key.hpp"

namespace postern::release {
namespace {

enum class Fate { refused, found, legal };

Fate fate_of(const std::string& text) {
  try {
    const Release release = parse_document(text);
    EXPECT_EQ(to_document(release), text);  // whatever is accepted can be written back
    return all_passed(verify(release)) ? Fate::legal : Fate::found;
  } catch (const Error& error) {
    EXPECT_EQ(error_name(error.code()).substr(0, 8), "release-") << error.what();
    return Fate::refused;
  }
}

/// Each byte with one of its two low bits flipped, replaced by a quote, and left out.
template <class Visit>
void for_each_edit(const std::string& text, const Visit& visit) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string replacements = "\"";
    for (const int bit : {0, 1}) replacements += static_cast<char>(text[i] ^ (1 << bit));
    for (const char c : replacements) {
      if (c == text[i]) continue;
      std::string edited = text;
      edited[i] = c;
      visit(i, edited);
    }
    std::string shorter = text;
    visit(i, shorter.erase(i, 1));
  }
}

/// Is byte i inside a member of this name, as it is written in the document?
bool inside(const std::string& text, std::size_t i, const std::string& member) {
  for (std::size_t at = text.find(member); at != std::string::npos; at = text.find(member, at + 1)) {
    if (i >= at && i < at + member.size()) return true;
  }
  return false;
}

TEST(EditedDocument, NoEditTouchesWhatThePrivacyStandsOn) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> documents{
      {to_document(testing::smoking_release()),
       {R"("noise":{"kind":"discrete-laplace","lambda":"1/10"})", R"("shape":[1])",
        R"("sensitivity":{"l1":"1"})", R"("cost":{"epsilon":"1/10"})",
        R"("privacy":{"adjacency":"replace-one")", R"("guarantee":"pure-dp","not_private":false)",
        R"("unit":"record")", R"("version":1)", R"("mechanism":"laplace")"}},
      {to_document(testing::people_release()),
       {R"("noise":{"kind":"discrete-gaussian","sigma2":"900"})", R"("shape":[2,4])",
        R"("sensitivity":{"l2_squared":"9"})", R"("cost":{"rho":"1/200"})",
        R"("privacy":{"adjacency":"add-remove")", R"("guarantee":"zcdp","not_private":false)",
        R"("n":{"at_most":100000)", R"("unit":{"at_most":3,"column":"person_id"})"}}};
  for (const auto& [text, members] : documents) {
    std::size_t legal = 0;
    for (const std::string& member : members) ASSERT_NE(text.find(member), std::string::npos) << member;
    for_each_edit(text, [&, &text = text, &members = members](std::size_t i, const std::string& edited) {
      if (fate_of(edited) != Fate::legal) return;
      ++legal;
      const bool guarded =
          std::any_of(members.begin(), members.end(), [&](const auto& m) { return inside(text, i, m); });
      EXPECT_FALSE(guarded) << "byte " << i << ": " << edited.substr(i < 30 ? 0 : i - 30, 60);
    });
    EXPECT_GT(legal,
              100u);  // names, labels, ids, values: another document, which only a signature tells apart
  }
}

TEST(EditedDocument, NoEditOfASignedDocumentPasses) {
  Release release = testing::smoking_release();
  sign(release, testing::kPrivateKey);
  const std::string text = to_document(release);
  std::size_t found = 0;
  for_each_edit(text, [&](std::size_t i, const std::string& edited) {
    const Fate fate = fate_of(edited);
    found += fate == Fate::found ? 1 : 0;
    if (fate != Fate::legal) return;
    // The one way: the member is called something else, the document is unsigned, and verify says so.
    EXPECT_TRUE(inside(text, i, "signature"))
        << "byte " << i << ": " << edited.substr(i < 30 ? 0 : i - 30, 60);
    EXPECT_FALSE(parse_document(edited).signature);
  });
  EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace postern::release
