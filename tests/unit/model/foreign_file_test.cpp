// Releases made elsewhere, as files declare them.
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

const std::string kStudy =
    "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nadjacency = \"replace-one\"\n"
    "[columns.smoker]\ncategories = [\"no\", \"yes\"]\n[columns.visits]\ninteger = [0, 9]\n"
    "[model]\nkind = \"family\"\nfamily = \"categorical\"\ncolumn = \"smoker\"\nprior = { dirichlet = 1 }\n";
const std::string kHead = "[foreign]\nmade_by = \"OpenDP 0.16.0\"\nn = 50\n";

std::string measured(const std::string& rest) { return kHead + "[[foreign.measured]]\n" + rest; }
std::string table(const std::string& rest) {
  return measured("what = \"table\"\ncolumns = [\"smoker\"]\n" + rest);
}
const std::string kNoise = "noise = \"laplace\"\nscale = 2.5\n";

Foreign parse(const std::string& section) { return parse_foreign(kStudy + section, "f.toml").foreign; }

/// The refusal of a section: its code and text.
std::pair<std::string, std::string> refusal(const std::string& section) {
  try {
    static_cast<void>(parse(section));
  } catch (const Error& error) {
    return {std::string(error_name(error.code())), error.what()};
  }
  return {"accepted", ""};
}

void expect_refused(const std::string& section, const std::string& code, const std::string& words) {
  const auto [name, text] = refusal(section);
  EXPECT_EQ(name, code) << text;
  EXPECT_NE(text.find(words), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, 7), "f.toml:") << text;
}

TEST(ForeignFile, IsReadAsItIsWritten) {
  const Foreign foreign = parse(kHead +
                                "record_set = \"wave 1\"\n[[foreign.measured]]\nwhat = \"table\"\n"
                                "columns = [\"smoker\"]\nnoise = \"gaussian\"\nscale = \"0.75\"\n"
                                "round_to = 0.5\nat_least = 0\nat_most = 50\nthreshold = 2\n"
                                "values = [\"absent\", 41.5]\n[[foreign.measured]]\nwhat = \"sum\"\n"
                                "column = \"visits\"\nnoise = \"discrete-laplace\"\nscale = 3\n"
                                "values = [-4]\n");
  EXPECT_EQ(foreign.made_by, "OpenDP 0.16.0");
  EXPECT_EQ(foreign.record_set, "wave 1");
  EXPECT_EQ(foreign.n, 50);
  ASSERT_EQ(foreign.blocks.size(), 2u);
  const ForeignBlock& counts = foreign.blocks[0];
  EXPECT_EQ(counts.statistic.get<Table>().columns, std::vector<std::string>{"smoker"});
  EXPECT_EQ(counts.law, ForeignLaw::gaussian);
  EXPECT_EQ(counts.scale, Rational(3, 4));
  EXPECT_EQ(counts.published.round_to, Rational(1, 2));
  EXPECT_EQ(counts.published.at_least, Rational(0));
  EXPECT_EQ(counts.published.at_most, Rational(50));
  EXPECT_EQ(counts.published.threshold, Rational(2));
  EXPECT_FALSE(counts.values[0].has_value());
  EXPECT_EQ(counts.values[1], Rational(83, 2));
  EXPECT_EQ(foreign.blocks[1].statistic.get<LevelSum>().column, "visits");
  EXPECT_EQ(foreign.blocks[1].values[0], Rational(-4));
}

TEST(ForeignFile, TakesFloatsForTheDecimalsThatWereMeant) {
  const Foreign foreign = parse(table(kNoise + "values = [0.1, 1.5e-20]\n"));
  EXPECT_EQ(foreign.blocks[0].values[0], Rational(1, 10));
  EXPECT_EQ(foreign.blocks[0].values[1], Rational(0));
}

TEST(ForeignFile, RefusesWhatIsNotDeclared) {
  expect_refused("", "missing-key", "foreign");
  expect_refused(kHead, "missing-key", "[[foreign.measured]]");
  expect_refused("[foreign]\nn = 5\n", "missing-key", "made_by");
  expect_refused(table("values = [1, 2]\n"), "missing-key", "noise");
  expect_refused(table("noise = \"laplace\"\nvalues = [1, 2]\n"), "missing-key", "scale");
  expect_refused(table(kNoise), "missing-key", "values");
  expect_refused(table(kNoise + "values = [1, 2]\nrounded = 1\n"), "unknown-key", "rounded");
  expect_refused(measured("what = \"mean\"\n" + kNoise + "values = [1]\n"), "bad-value", "\"table\"");
  expect_refused(table("noise = \"geometric\"\nscale = 1\nvalues = [1, 2]\n"), "bad-value",
                 "\"discrete-laplace\"");
  expect_refused(measured("what = \"sum\"\ncolumn = \"age\"\n" + kNoise + "values = [1]\n"), "unknown-column",
                 "[columns]");
  expect_refused(
      measured("what = \"count\"\ncolumn = \"smoker\"\nlevel = \"often\"\n" + kNoise + "values = [1]\n"),
      "bad-value", "declared value");
  const std::string no_n =
      "[foreign]\nmade_by = \"x\"\n[[foreign.measured]]\nwhat = \"table\"\ncolumns = "
      "[\"smoker\"]\n";
  expect_refused(no_n + kNoise + "values = [1, 2]\n", "missing-key", "state n");
}

TEST(ForeignFile, RefusesWhatNoToolCanHavePublished) {
  expect_refused(table(kNoise + "values = [1]\n"), "bad-value", "2 cells");
  expect_refused(table(kNoise + "values = [1, \"absent\"]\n"), "bad-value", "threshold");
  expect_refused(table(kNoise + "values = [1, \"none\"]\n"), "wrong-type", "2. item");
  expect_refused(table(kNoise + "values = [1, inf]\n"), "wrong-type", "2. item");
  expect_refused(table(kNoise + "at_least = 0\nvalues = [1, -2]\n"), "bad-value", "at_least");
  expect_refused(table(kNoise + "at_most = 9\nvalues = [1, 10]\n"), "bad-value", "at_most");
  expect_refused(table(kNoise + "at_least = 9\nat_most = 9\nvalues = [9, 9]\n"), "bad-value", "below");
  expect_refused(table(kNoise + "threshold = 5\nvalues = [1, 10]\n"), "bad-value", "absent");
  expect_refused(table(kNoise + "round_to = 5\nvalues = [12, 10]\n"), "bad-value", "round_to");
  expect_refused(table(kNoise + "round_to = 0\nvalues = [12, 10]\n"), "bad-value", "positive");
  expect_refused(table("noise = \"laplace\"\nscale = 0\nvalues = [1, 2]\n"), "bad-value", "scale");
  expect_refused(table("noise = \"discrete-gaussian\"\nscale = 1\nvalues = [1, 2.5]\n"), "bad-value",
                 "whole");
  expect_refused(table("noise = \"discrete-gaussian\"\nscale = 1\nround_to = 0.5\nvalues = [1, 2]\n"),
                 "bad-value", "whole");
}

TEST(ForeignFile, IsNoStudy) {
  try {
    static_cast<void>(parse_study(kStudy + table(kNoise + "values = [1, 2]\n"), "f.toml"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_key);
  }
}

}  // namespace
}  // namespace postern::model
