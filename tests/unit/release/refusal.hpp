#pragma once

#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::release::testing {

/// The text with its one occurrence of `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace postern::release::testing

/// The statement throws Error of this code, with a message a person can read.
#define EXPECT_REFUSAL(statement, wanted)                                                              \
  try {                                                                                                \
    static_cast<void>(statement);                                                                      \
    ADD_FAILURE() << "accepted: " #statement;                                                          \
  } catch (const ::postern::Error& refusal) {                                                          \
    EXPECT_EQ(::postern::error_name(refusal.code()), ::postern::error_name(wanted)) << refusal.what(); \
    EXPECT_GT(std::string(refusal.what()).size(), 20u);                                                \
    EXPECT_LT(std::string(refusal.what()).size(), 700u);                                               \
  }
