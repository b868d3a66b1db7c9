#include "postern/core/json_text.hpp"

#include <gtest/gtest.h>

namespace postern {
namespace {

TEST(JsonText, EscapesWhatJsonDemandsAndNothingElse) {
  EXPECT_EQ(json_quoted(""), "\"\"");
  EXPECT_EQ(json_quoted("P(smoker = yes)"), "\"P(smoker = yes)\"");
  EXPECT_EQ(json_quoted("\"\\/"), "\"\\\"\\\\/\"");
  EXPECT_EQ(json_quoted("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\"");
  EXPECT_EQ(json_quoted(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
  EXPECT_EQ(json_quoted("\xc3\xa9"), "\"\xc3\xa9\"");
}

}  // namespace
}  // namespace postern
