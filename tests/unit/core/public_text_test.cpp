#include "postern/core/public_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "postern/core/printable.hpp"

namespace postern {
namespace {

std::string quoted(std::string_view text, std::size_t limit = 80) {
  return std::string(quote(text, limit).view());
}

TEST(PublicText, JoinsItsPieces) {
  const PublicText text{"column '", from_study("age"), "' has ", public_number(-4), " levels"};
  EXPECT_EQ(text.str(), "column 'age' has -4 levels");
  EXPECT_EQ(PublicText().str(), "");
}

TEST(PublicText, EscapesControlCharacters) {
  EXPECT_EQ(quoted("a\nb\tc"), "a\\u000ab\\u0009c");
  EXPECT_EQ(quoted("\x1b[31mred"), "\\u001b[31mred");
  EXPECT_EQ(quoted(std::string_view("a\0b\x7f", 4)), "a\\u0000b\\u007f");
  EXPECT_EQ(quoted("\xc2\x9b"
                   "31m"),
            "\\u009b31m");  // the one-character form of ESC [
  EXPECT_EQ(quoted("a\xe2\x80\xae"
                   "b"),
            "a\\u202eb");  // turns the direction of writing
  EXPECT_EQ(quoted("a\xe2\x80\xa8"
                   "b"),
            "a\\u2028b");  // a line separator
}

TEST(PublicText, IsPrintableAsAWhole) {
  EXPECT_EQ(printable("\x1b]0;owned\x07"), "\\u001b]0;owned\\u0007");
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"
                      "c\xef\xbb\xbf"),
            "a\\u202eb\\u2066c\\ufeff");
  EXPECT_EQ(printable("\xf3\xa0\x81\x81"), "\\udb40\\udc41");  // a letter that nobody sees
  EXPECT_EQ(printable("\xff"
                      "é"),
            "\\xffé");
  EXPECT_EQ(printable(std::string(1000, 'x')), std::string(1000, 'x'));
}

TEST(PublicText, KeepsOtherLanguages) {
  EXPECT_EQ(quoted("âge, 年齢, возраст, 🎂"), "âge, 年齢, возраст, 🎂");
}

TEST(PublicText, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(quoted("\xff"), "\\xff");
  EXPECT_EQ(quoted("a\xe2\x82"), "a\\xe2\\x82");  // cut short
  EXPECT_EQ(quoted("\xc0\xaf"), "\\xc0\\xaf");    // overlong
  EXPECT_EQ(quoted("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(quoted("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past U+10FFFF
  EXPECT_EQ(quoted("\x80z"), "\\x80z");
}

TEST(PublicText, CutsBetweenCharacters) {
  EXPECT_EQ(quoted("abcd", 4), "abcd");
  EXPECT_EQ(quoted("abcde", 4), "abcd...");
  EXPECT_EQ(quoted("abcé", 4), "abc...");
  EXPECT_EQ(quoted("年齢", 3), "年...");
  EXPECT_EQ(quoted("", 0), "");
  EXPECT_EQ(quoted("a", 0), "...");
  EXPECT_EQ(from_study(std::string(1000, 'x')).view().size(), 83U);
  EXPECT_EQ(from_option(std::string(1000, 'x')).view().size(), 203U);
}

bool is_plain(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return false;
  }
  return quoted(text, text.size()) == text;  // nothing left to escape
}

TEST(PublicText, AnyBytesComeOutPrintable) {
  EXPECT_TRUE(rc::check("quoting is idempotent and bounded", [](const std::string& text) {
    const std::string once = quoted(text, 40);
    RC_ASSERT(is_plain(once));
    RC_ASSERT(once.size() <= 6 * 40 + 3);
  }));
}

}  // namespace
}  // namespace postern
