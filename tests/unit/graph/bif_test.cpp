#include "postern/graph/bif.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::graph {
namespace {

constexpr const char* kRain = R"(// a comment
network "wet grass" { property author = "a; b"; }
variable rain { type discrete [ 2 ] { yes, no }; property position = (1, 2) ; }
variable sprinkler { /* another
comment */ type discrete[3] {off "half on" on}; }
variable grass { type discrete [ 2 ] { wet, dry }; }
probability ( rain ) { table 0.2, 0.8; }
probability ( sprinkler | rain ) {
  (no) 0.5 0.25 0.25;
  (yes) 0.98, 1e-2, .01;
}
probability ( grass | sprinkler, rain ) {
  property checked = true;
  default 0.5, 0.5;
  (on, yes) 0.99, 0.01;
  ("half on", no) 0.7, 0.3;
  (off, no) 0, 1;
}
)";

/// "code: message" of the refusal, or "read".
std::string refusal(const std::string& text) {
  try {
    (void)parse_bif(text, "wet.bif");
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what();
  }
  return "read";
}

/// A network of two coins, with something in place of its last block.
std::string coins(const std::string& last) {
  return "variable a { type discrete [ 2 ] { h, t }; }\n"
         "variable b { type discrete [ 2 ] { h, t }; }\n"
         "probability ( a ) { table 0.5, 0.5; }\n" +
         last;
}

TEST(Bif, ReadsVariablesParentsAndRowsInAnyOrder) {
  const BifNetwork network = parse_bif(kRain);
  EXPECT_EQ(network.name, "wet grass");
  EXPECT_EQ(network.names(), (std::vector<std::string>{"rain", "sprinkler", "grass"}));
  EXPECT_EQ(network.variables[1].levels, (std::vector<std::string>{"off", "half on", "on"}));
  EXPECT_EQ(network.variables[2].parents, (Variables{1, 0}));
  EXPECT_EQ(network.variables[1].table, (std::vector<double>{0.98, 0.01, 0.01, 0.5, 0.25, 0.25}));
  // Rows: (off, yes), (off, no), (half on, yes), (half on, no), (on, yes), (on, no).
  EXPECT_EQ(network.variables[2].table,
            (std::vector<double>{0.5, 0.5, 0, 1, 0.5, 0.5, 0.7, 0.3, 0.99, 0.01, 0.5, 0.5}));
}

TEST(Bif, WritesWhatItReads) {
  const BifNetwork network = parse_bif(kRain);
  const std::string text = write_bif(network);
  EXPECT_EQ(parse_bif(text), network);
  EXPECT_NE(text.find("(\"half on\", no) 0.7, 0.3;"), std::string::npos) << text;
}

TEST(Bif, ATableHasTheVariableItselfSlowest) {
  const BifNetwork network = parse_bif(coins("probability ( b | a ) { table 0.1, 0.3, 0.9, 0.7; }"));
  EXPECT_EQ(network.variables[1].table, (std::vector<double>{0.1, 0.9, 0.3, 0.7}));
}

TEST(Bif, NamesMayHoldBlanksWhereCommasKeepThemApart) {
  const BifNetwork network = parse_bif(R"(
    variable my coin { type discrete [ 2 ] { heads up, tails }; }
    variable b { type discrete [ 1 ] { only one }; }
    probability ( my coin ) { table 0.5 0.5; }
    probability ( b | my coin ) { (heads up) 1; (tails) 1; })");
  EXPECT_EQ(network.variables[0].name, "my coin");
  EXPECT_EQ(network.variables[0].levels, (std::vector<std::string>{"heads up", "tails"}));
  EXPECT_EQ(network.variables[1].parents, Variables{0});
  EXPECT_EQ(parse_bif(write_bif(network)), network);
}

TEST(Bif, ParentsMayGoWithoutABar) {
  EXPECT_EQ(parse_bif(coins("probability ( b a ) { (h) 1 0; (t) 0 1; }")).variables[1].parents, Variables{0});
}

TEST(Bif, RowsOfFewDigitsAreDividedByTheirSums) {
  const BifNetwork network = parse_bif(
      "variable a { type discrete [ 3 ] { x, y, z }; } probability ( a ) { table 0.3333333 0.3333333 "
      "0.3333333; }");
  double sum = 0;
  for (const double p : network.variables[0].table) sum += p;
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_EQ(parse_bif(write_bif(network)), network);
}

TEST(Bif, SaysWhereTheSyntaxIsWrong) {
  EXPECT_EQ(refusal("variable a {\n  type discrete [ 2 ] { x, y }\n  oops\n}"),
            "study-syntax: wet.bif:3:3: expected 'type', found 'oops'");
  EXPECT_EQ(refusal("variable a { type discrete [ 3 ] { x, y }; }").substr(0, 72),
            "study-syntax: wet.bif:1:14: expected 3 levels, found 2; put names that h");
  EXPECT_EQ(refusal("network n { /* "),
            "study-syntax: wet.bif:1:13: this comment has no end; close it with '*/'");
  EXPECT_EQ(refusal("network n { property x"),
            "study-syntax: wet.bif:1:22: this property has no end; close it with ';'");
  EXPECT_EQ(refusal("variable \"a {}"),
            "study-syntax: wet.bif:1:10: this quotation has no end; close it with '\"'");
  EXPECT_EQ(refusal(coins("probability ( b ) { table 0.5, x; }")),
            "study-syntax: wet.bif:4:32: expected a probability or ';', found 'x'");
  EXPECT_EQ(refusal(coins("probability ( b ) { table 0.5, -0.5; }")),
            "study-syntax: wet.bif:4:32: expected a probability or ';', found '-0.5'");
  EXPECT_EQ(refusal(coins("probability ( b ) { table 0.5, 0.5 }")),
            "study-syntax: wet.bif:4:36: expected a probability or ';', found '}'");
  EXPECT_EQ(refusal(coins("probability ( b ) {")).substr(0, 40), "study-syntax: wet.bif:4:20: expected 'ta");
  EXPECT_EQ(
      refusal("hello"),
      "study-syntax: wet.bif:1:1: expected 'network', 'variable' or 'probability'; this is no BIF file");
  EXPECT_EQ(refusal(""), "study-syntax: wet.bif:1:1: the file declares no variable");
  EXPECT_EQ(refusal("variable a { type continuous; }").substr(0, 63),
            "study-syntax: wet.bif:1:19: expected 'discrete', found 'continu");
}

TEST(Bif, RefusesWhatIsNoNetwork) {
  EXPECT_EQ(refusal(coins("probability ( c ) { table 1; }")),
            "bad-value: wet.bif:4:15: 'c' is not declared as a variable");
  EXPECT_EQ(refusal(coins("")),
            "bad-value: wet.bif:2:10: 'b' has no probabilities; add 'probability ( b ) { ... }'");
  EXPECT_EQ(refusal(coins("probability ( a ) { table 0.5, 0.5; }")),
            "bad-value: wet.bif:4:15: 'a' has a probability block already");
  EXPECT_EQ(refusal(coins("variable a { type discrete [ 1 ] { x }; }")),
            "bad-value: wet.bif:4:10: variable 'a' is declared twice");
  EXPECT_EQ(refusal("variable a { type discrete [ 2 ] { x, x }; }"),
            "bad-value: wet.bif:1:10: variable 'a' has the level 'x' twice");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { (h) 0.5, 0.5; }")),
            "bad-value: wet.bif:4:15: P(b | a = t) has no probabilities; add the row, or a default");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { (h) 0.5, 0.5; (h) 0.5, 0.5; }")),
            "bad-value: wet.bif:4:39: P(b | a = h) is given twice");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { (x) 0.5, 0.5; }")),
            "bad-value: wet.bif:4:25: 'x' is no level of 'a'");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { (h, h) 0.5, 0.5; }")),
            "bad-value: wet.bif:4:25: expected one level for each of 1 parents of 'b', found 2");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { table 0.5, 0.5; }")),
            "bad-value: wet.bif:4:25: expected 4 probabilities, found 2");
  EXPECT_EQ(refusal(coins("probability ( b | a ) { (h) 0.5, 0.5; (t) 0.5, 0.4; }")),
            "bad-value: wet.bif:4:39: P(b | a = t) sums to 0.9, not to 1");
}

TEST(Bif, NamesTheCycle) {
  const std::string text =
      "variable a { type discrete [ 1 ] { x }; } variable b { type discrete [ 1 ] { x }; }\n"
      "probability ( a | b ) { (x) 1; } probability ( b | a ) { (x) 1; }";
  EXPECT_EQ(refusal(text),
            "bad-value: wet.bif:2:48: the network has a cycle: 'b' -> 'a' -> 'b'; remove or turn one of "
            "these edges");
}

TEST(Bif, RefusesTablesThatNobodyCanHold) {
  std::string text;
  std::string parents;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "v" + std::to_string(i);
    text += "variable " + name + " { type discrete [ 2 ] { x, y }; }\n";
    if (i < 39) text += "probability ( " + name + " ) { table 0.5, 0.5; }\n";
    if (i < 39) parents += (i > 0 ? ", " : "") + name;
  }
  text += "probability ( v39 | " + parents + " ) { default 0.5, 0.5; }";
  EXPECT_EQ(refusal(text).substr(0, 61), "bad-value: wet.bif:79:10: the tables up to that of 'v39' have");
}

TEST(Bif, RefusesToWriteWhatCouldNotBeRead) {
  BifNetwork network = parse_bif(coins("probability ( b ) { table 1, 0; }"));
  network.variables[0].name = "a\"b";
  EXPECT_THROW((void)write_bif(network), Error);
  network.variables[0].name = "a";
  network.variables[0].table.pop_back();
  EXPECT_THROW((void)write_bif(network), Error);
}

}  // namespace
}  // namespace postern::graph
