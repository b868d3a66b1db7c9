#include "postern/core/error.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <sysexits.h>

#include "postern/core/result.hpp"

namespace postern {
namespace {

TEST(ErrorTable, EveryCodeHasItsOwnKebabNameAndASysexitsStatus) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    const std::string_view name = error_name(code);
    EXPECT_TRUE(names.insert(name).second) << name << " is used twice";
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '-';
    })) << name;
    EXPECT_NE(name.front(), '-');
    EXPECT_NE(name.back(), '-');
    EXPECT_GE(exit_status(code), EX__BASE) << name;
    EXPECT_LE(exit_status(code), EX__MAX) << name;
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::internal) + 1);
}

// The names and classes are part of the interface: these stand for scripts that read them.
TEST(ErrorTable, StableNames) {
  EXPECT_EQ(error_name(ErrorCode::budget_exhausted), "budget-exhausted");
  EXPECT_EQ(exit_status(ErrorCode::budget_exhausted), EX_NOPERM);
  EXPECT_EQ(error_name(ErrorCode::column_absent), "column-absent");
  EXPECT_EQ(exit_status(ErrorCode::column_absent), EX_DATAERR);
  EXPECT_EQ(error_name(ErrorCode::input_missing), "input-missing");
  EXPECT_EQ(exit_status(ErrorCode::input_missing), EX_NOINPUT);
  EXPECT_EQ(exit_status(ErrorCode::usage), EX_USAGE);
  EXPECT_EQ(exit_status(ErrorCode::ledger_busy), EX_TEMPFAIL);
}

TEST(Error, CarriesItsCodeAndText) {
  const Error error(ErrorCode::unknown_column,
                    {"no column '", from_option("agee"), "' among ", public_number(3)});
  EXPECT_EQ(error.code(), ErrorCode::unknown_column);
  EXPECT_STREQ(error.what(), "no column 'agee' among 3");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 5;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(good.value(), 5);
  const Result<int> bad = Error(ErrorCode::release_malformed, {"not a release"});
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::release_malformed);
  EXPECT_THROW((void)bad.value(), Error);
  Result<std::string> moved = std::string("text");
  EXPECT_EQ(std::move(moved).value(), "text");
}

}  // namespace
}  // namespace postern
