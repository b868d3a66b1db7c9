
#include <utility>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/silent.hpp"

#include "study_faults.hpp"

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "smoking-and-cancer"
dataset = "survey-2026"
[privacy]
unit      = "record"
adjacency = "replace-one"
currency  = "pure"
[columns.smoker]
categories = ["no", "yes"]
missing    = "no"
[columns.age]
integer = [18, 99]
cuts    = [30, 45, 60]
outside = "clamp"
[columns.income]
real = ["0", "200000"]
grid = "100"
[model]
kind   = "family"
family = "bernoulli"
column = "smoker"
prior  = { beta = ["0.5", 2] }
)";

Error refusal(const std::string& text) {
  try {
    (void)parse_study(text, "study.toml");
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::internal, {"accepted"}};
}

TEST(StudyFile, ReadsEveryPart) {
  const Study study = parse_study(kStudy, "study.toml");
  EXPECT_EQ(study.name, "smoking-and-cancer");
  EXPECT_EQ(study.dataset, "survey-2026");
  EXPECT_EQ(study.privacy.adjacency, Adjacency::replace_one);
  ASSERT_EQ(study.schema.columns().size(), 3u);
  EXPECT_EQ(study.schema.columns()[0].name, "smoker");
  const Column& age = study.schema.at("age");
  ASSERT_EQ(age.levels(), 4u);
  EXPECT_EQ(age.label(0), "18-29");
  EXPECT_EQ(age.label(3), "60-99");
  EXPECT_FALSE(age.missing_declared);
  EXPECT_TRUE(study.schema.at("smoker").missing_declared);
  EXPECT_EQ(study.schema.at("income").levels(), 2001u);
  const auto& model = study.model.get<Bernoulli>();
  EXPECT_EQ(model.success, 1u);
  EXPECT_EQ(model.a, Rational(1, 2));
  EXPECT_EQ(model.b, 2);
}

TEST(StudyFile, ReadsAJointTable) {
  const Study study = parse_study(
      edited(kStudy, "family = \"bernoulli\"\ncolumn = \"smoker\"\nprior  = { beta = [\"0.5\", 2] }",
             "family = \"categorical\"\ncolumns = [\"smoker\", \"age\"]\nprior = { dirichlet = \"0.5\" }"),
      "study.toml");
  EXPECT_EQ(study.model.get<Categorical>().alpha, std::vector<Rational>(8, Rational(1, 2)));
}

class StudyFaults : public testing::TestWithParam<StudyFault> {};

TEST_P(StudyFaults, AreRefusedWithAPlaceAndAWayOut) {
  const StudyFault& fault = GetParam();
  const Error error = refusal(edited(kStudy, fault.from, fault.to));
  EXPECT_EQ(error_name(error.code()), error_name(fault.code)) << error.what();
  EXPECT_NE(std::string(error.what()).find(fault.says), std::string::npos) << error.what();
  EXPECT_EQ(std::string(error.what()).rfind("study.toml:", 0), 0u) << error.what();
}

INSTANTIATE_TEST_SUITE_P(
    All, StudyFaults,
    testing::Values(
        StudyFault{"cuts    =", "cust    =", ErrorCode::unknown_key, "did you mean 'cuts'?"},
        StudyFault{"[model]", "[modle]", ErrorCode::unknown_key, "did you mean 'model'?"},
        StudyFault{"column = \"smoker\"", "column = \"smokre\"", ErrorCode::unknown_column,
                   "did you mean 'smoker'?"},
        StudyFault{"\"0.5\", 2", "0.5, 2", ErrorCode::bare_float, "\"0.5\""},
        StudyFault{"grid = \"100\"", "grid = 99.5", ErrorCode::bare_float, "quotes"},
        StudyFault{"grid = \"100\"", "grid = 1e2", ErrorCode::bare_float, "write the whole number 100"},
        StudyFault{"\"200000\"", "1e10", ErrorCode::bare_float, "write the whole number 10000000000"},
        StudyFault{"\"200000\"", "123456789.25", ErrorCode::bare_float, "quotes: \"123456789.25\""},
        StudyFault{"\"200000\"", "1e-7", ErrorCode::bare_float, "quotes: \"0.0000001\""},
        StudyFault{"\"200000\"", "1e99", ErrorCode::wrong_type, "must be an integer"},
        StudyFault{"\"200000\"", "inf", ErrorCode::wrong_type, "must be an integer"},
        StudyFault{"[18, 99]", "[18.0, 99]", ErrorCode::bare_float, "write the whole number 18"},
        StudyFault{"[18, 99]", "[18.5, 99]", ErrorCode::wrong_type, "must be a list of whole numbers"},
        StudyFault{"[18, 99]", "0.5", ErrorCode::wrong_type, "must be a list"},
        StudyFault{"\"clamp\"", "\"clip\"", ErrorCode::bad_value,
                   "write \"clamp\" or { map-to = \"18-29\" }"},
        StudyFault{"missing    = \"no\"", "outside    = \"clamp\"", ErrorCode::bad_value,
                   "; write { map-to = \"no\" }"},
        StudyFault{"[18, 99]", "\"18-99\"", ErrorCode::wrong_type, "columns.age.integer"},
        StudyFault{"[18, 99]", "[18, 99, 120]", ErrorCode::bad_value, "exactly 2"},
        StudyFault{"[\"no\", \"yes\"]", "[\"no\", \"no\"]", ErrorCode::duplicate_category, "'no' twice"},
        StudyFault{"[30, 45, 60]", "[30, 45, 45]", ErrorCode::overlapping_cuts, "rise strictly"},
        StudyFault{"[30, 45, 60]", "[30, 45, 160]", ErrorCode::overlapping_cuts, "inside the range"},
        StudyFault{"missing    = \"no\"", "missing    = \"non\"", ErrorCode::bad_value, "such as 'no'"},
        StudyFault{"missing    = \"no\"", "missing    = \"drop\"", ErrorCode::bad_value, "n is public"},
        StudyFault{"\"replace-one\"", "\"add-remove\"", ErrorCode::missing_key, "at_most"},
        StudyFault{"\"replace-one\"", "\"swap-one\"", ErrorCode::bad_value, "replace-one"},
        StudyFault{"\"pure\"", "\"approx\"", ErrorCode::bad_value, "zcdp"},
        StudyFault{"unit      = \"record\"", "unit = { column = \"id\", at_most = 3 }", ErrorCode::bad_value,
                   "add-remove"},
        StudyFault{"version = 1", "version = 3", ErrorCode::bad_value, "version 1"},
        StudyFault{"name    = \"smoking-and-cancer\"", "", ErrorCode::missing_key, "'name' is missing"},
        StudyFault{"kind   = \"family\"", "kind   = \"tea-leaves\"", ErrorCode::unsupported, "not available"},
        StudyFault{"column = \"smoker\"", "column = \"age\"", ErrorCode::bad_value, "categorical"},
        StudyFault{"\"200000\"", "\"200050\"", ErrorCode::bad_value, "multiples"},
        StudyFault{"beta = [\"0.5\", 2]", "beta = [0, 2]", ErrorCode::bad_prior, "prior parameter"},
        StudyFault{"[privacy]", "[privacy", ErrorCode::study_syntax, "not valid TOML"}));

// Records may be dropped where n is private, and nowhere else is that advised.
TEST(StudyFile, AdvisesDroppingOnlyWhereItIsAllowed) {
  const auto advice = [](std::string_view from, std::string_view to, bool private_n) {
    std::string text = edited(kStudy, from, to);
    if (private_n) text.replace(text.find("\"replace-one\""), 13, "\"add-remove\"\nn = { at_most = 9 }");
    return std::string(refusal(text).what());
  };
  const auto drops = [](const std::string& text) { return text.find("\"drop\"") != std::string::npos; };
  for (const bool private_n : {false, true}) {
    EXPECT_EQ(drops(advice("missing    = \"no\"", "missing    = \"non\"", private_n)), private_n);
    EXPECT_EQ(drops(advice("\"clamp\"", "\"clip\"", private_n)), private_n);
    EXPECT_FALSE(drops(advice("\"clamp\"", "{ map-to = \"18-30\" }", private_n)));
    EXPECT_FALSE(drops(advice("column = \"smoker\"", "column = \"smoker\"\nsuccess = \"maybe\"", private_n)));
  }
}

struct Place {
  const char* from;
  const char* to;
  const char* at;  // line:column of what is wrong
};

class StudyPlaces : public testing::TestWithParam<Place> {};

TEST_P(StudyPlaces, AreThoseOfTheKeyConcerned) {
  const Place& place = GetParam();
  const Error error = refusal(edited(kStudy, place.from, place.to));
  EXPECT_EQ(std::string(error.what()).rfind("study.toml:" + std::string(place.at) + ": ", 0), 0u)
      << error.what();
}

constexpr const char kBernoulli[] =
    "family = \"bernoulli\"\ncolumn = \"smoker\"\nprior  = { beta = [\"0.5\", 2] }";

INSTANTIATE_TEST_SUITE_P(
    All, StudyPlaces,
    testing::Values(
        Place{"smoking-and-cancer", "smoking and cancer", "2:11"}, Place{"survey-2026", "", "3:11"},
        Place{"\"record\"", "{ column = \"id\", at_most = 3 }", "5:13"},
        Place{"\"replace-one\"", "\"add-remove\"", "6:13"},
        Place{"currency  = \"pure\"", "n = { at_most = 5 }", "7:5"},
        Place{"\"replace-one\"\ncurrency  = \"pure\"", "\"add-remove\"\nn = { at_most = 0 }", "7:17"},
        Place{"\"no\", \"yes\"", "\"no\", \"yes\",\n  \"no\"", "10:3"},
        Place{"\"no\", \"yes\"", "\"no\",\n\" yes\"", "10:1"},
        Place{"missing    = \"no\"", "missing    = \"drop\"", "10:14"},
        Place{"[18, 99]", "[99, 18]", "12:11"}, Place{"[30, 45, 60]", "[30,\n45,\n45]", "15:1"},
        Place{"outside = \"clamp\"", "outside = \"drop\"", "14:11"},
        Place{"\"200000\"", "\"200050\"", "16:14"}, Place{"grid = \"100\"", "grid = \"-1\"", "17:8"},
        Place{"grid = \"100\"", "grid = \"100\"\ncuts = [\"5\"]", "18:9"},
        Place{"column = \"smoker\"", "column = \"smokre\"", "21:10"},
        Place{"column = \"smoker\"", "column = \"age\"", "21:10"}, Place{"\"0.5\", 2", "\"0.5\", 0", "22:27"},
        Place{kBernoulli, "family = \"categorical\"\ncolumns = [\"smoker\", \"smoker\"]", "21:22"},
        Place{kBernoulli, "family = \"categorical\"\ncolumns = [\"smoker\", \"ages\"]", "21:22"},
        Place{kBernoulli, "family = \"categorical\"\ncolumn = \"smokers\"", "21:10"},
        Place{kBernoulli, "family = \"categorical\"\ncolumn = \"smoker\"\nprior = { dirichlet = [1, 0] }",
              "22:27"},
        Place{kBernoulli, "family = \"categorical\"\ncolumn = \"smoker\"\nprior = { dirichlet = [1] }",
              "22:23"},
        Place{kBernoulli, "family = \"exponential\"\ncolumn = \"age\"", "21:10"},
        Place{kBernoulli, "family = \"exponential\"\ncolumn = \"income\"\nprior = { gamma = [1, 0] }",
              "22:23"},
        Place{kBernoulli, "family = \"gamma\"\ncolumn = \"income\"\nshape = 0", "22:9"},
        Place{kBernoulli,
              "family = \"log-normal\"\ncolumn = \"income\"\nprior = { normal-inverse-gamma = [0, 1, 3, 4] }",
              "16:9"}));

TEST(StudyFile, RefusesTextThatTheParserCannotBear) {
  for (const char* text :
       {"\xCF\xA0: o", "a = { b = 1, \xCF\xA0 = 2 }", "[columns.x]\nm", "a = \"\"\"x\"\"\"\"\xCF\xA0 = 1",
        "a = 1\"\xD0\x9A\"", "a = \"\"\"\"'\xD0\x9A", "a = 'b'\"\xD0\x9A\"", "a = [1.\"\xD0\x9A\"",
        "a = 1[\"\xD0\x9A\"]", "a = 1=\"\xD0\x9A\"", "a = [1, 2=\"\xD0\x9A\"]", "a = [1]\"\xD0\x9A\"",
        "a = 1{\"\xD0\x9A\" = 1}"}) {
    EXPECT_EQ(refusal(text).code(), ErrorCode::study_syntax) << text;
  }
  EXPECT_EQ(parse_study(edited(kStudy, "\"no\", \"yes\"", "\"no\", \"s\xC3\xAD\""), "s")
                .schema.at("smoker")
                .label(1),
            "s\xC3\xAD");
}

// Each part of a key and each bracket is a table or list inside another, and taking such a nest apart takes
// stack.
TEST(StudyFile, RefusesDeepNests) {
  std::string parts = "a";
  for (int i = 0; i < 1'000'000; ++i) parts += ".a";
  for (const std::string& text : {parts + " = 1", "[" + parts + "]", "x = { " + parts + " = 1 }",
                                  "x = [{ b = 1, " + parts + " = 1 }]", "[[\"b\"." + parts + "]]"}) {
    const Error error = refusal(text);
    EXPECT_EQ(error.code(), ErrorCode::study_syntax) << text.substr(0, 20);
    EXPECT_NE(std::string_view(error.what()).find("32 parts"), std::string_view::npos) << error.what();
  }
  for (const char* bracket : {"[", "{a="}) {
    std::string nest = "x = ";
    for (int i = 0; i < 100; ++i) nest += bracket;
    EXPECT_NE(std::string_view(refusal(nest).what()).find("depth of 16"), std::string_view::npos);
  }
  EXPECT_EQ(refusal("# " + parts + "\n").code(), ErrorCode::missing_key);
  EXPECT_EQ(refusal("x = \"" + parts + "\"").code(), ErrorCode::unknown_key);
}

// The guard before the parser refuses nothing that TOML allows.
TEST(StudyFile, TakesAllFormsOfToml) {
  const std::string text =
      edited(kStudy, "categories = [\"no\", \"yes\"]\nmissing    = \"no\"",
             "\"categories\" = [ # s\xC3\xAD\n\n  'n\xC3\xB3', # no\r\n\t\"\"\"s\xC3\xAD\"\"\",\n]\n"
             "[ columns . \"\xC3\xA9\" ]# header\ninteger = [ 1,\n2 ]\noutside = { 'map-to' = \"1\" }\n"
             "[columns]\nb.\"integer\" = [0x1, +2]\nb . 'missing' = \"2\"\n'c' = { real = ['0', "
             "\"1\"], grid = \"0.5\" } ");
  const Study study = parse_study(text, "study.toml");
  ASSERT_EQ(study.schema.columns().size(), 6u);
  EXPECT_EQ(study.schema.at("smoker").label(1), "s\xC3\xAD");
  EXPECT_EQ(study.schema.at("\xC3\xA9").levels(), 2u);
  EXPECT_EQ(study.schema.at("c").levels(), 3u);
}

TEST(StudyFile, RefusesWhatIsNotAFile) {
  EXPECT_THROW((void)load_study("/nonexistent/study.toml"), Error);
  EXPECT_THROW((void)load_study("/"), Error);
}

constexpr const char kNumbers[] = R"(version = 1
name    = "numbers"
dataset = "numbers"
[privacy]
adjacency = "replace-one"
[columns.visits]
integer = [0, 20]
[columns.wait]
real = ["0", "20"]
grid = "0.5"
[columns.level]
real = ["-3", "3"]
grid = "0.5"
[columns.size]
real = ["1", "20"]
grid = "0.5"
[columns.group]
integer = [0, 9]
cuts = [5]
[model]
kind   = "family"
)";

Study numbers(const std::string& model) { return parse_study(kNumbers + model, "study.toml"); }

TEST(StudyFileNumbers, ReadsKnownParametersAndPriors) {
  const auto gamma =
      numbers("family = \"gamma\"\ncolumn = \"wait\"\nshape = \"1.5\"\nprior = { gamma = [8, \"0.25\"] }\n")
          .model.get<Number>();
  EXPECT_EQ(gamma.family, "gamma");
  EXPECT_EQ(gamma.known, std::vector<Rational>{Rational(3, 2)});
  EXPECT_EQ(gamma.prior, (std::vector<Rational>{8, Rational(1, 4)}));
  const auto pareto = numbers("family = \"pareto\"\ncolumn = \"size\"\nminimum = \"19.5\"\n");
  EXPECT_EQ(pareto.model.get<Number>().known, std::vector<Rational>{Rational(39, 2)});
  const auto poisson = numbers("family = \"poisson\"\ncolumn = \"visits\"\n").model.get<Number>();
  EXPECT_EQ(poisson.prior, (std::vector<Rational>{1, 1}));  // the default
  EXPECT_TRUE(poisson.known.empty());
  const auto normal =
      numbers(
          "family = \"normal\"\ncolumn = \"level\"\nprior = { normal-inverse-gamma = [\"-1.5\", 1, 3, 4] }\n")
          .model.get<Number>();
  EXPECT_EQ(normal.prior.front(), Rational(-3, 2));
}

TEST(StudyFileNumbers, ReadsEverySpellingOfANumber) {
  const auto gamma =
      numbers(
          "family = \"gamma\"\ncolumn = \"wait\"\nshape = \".5\"\nprior = { gamma = [\"1e-3\", \"2E1\"] }\n")
          .model.get<Number>();
  EXPECT_EQ(gamma.known, std::vector<Rational>{Rational(1, 2)});
  EXPECT_EQ(gamma.prior, (std::vector<Rational>{Rational(1, 1000), 20}));
}

struct NumberFault {
  const char* model;
  ErrorCode code;
  const char* says;
};
class StudyFileNumberFaults : public testing::TestWithParam<NumberFault> {};

TEST_P(StudyFileNumberFaults, AreRefusedWithAPlaceAndAWayOut) {
  const Error error = refusal(std::string(kNumbers) + GetParam().model);
  EXPECT_EQ(error_name(error.code()), error_name(GetParam().code)) << error.what();
  EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  EXPECT_EQ(std::string(error.what()).rfind("study.toml:", 0), 0u) << error.what();
}

INSTANTIATE_TEST_SUITE_P(
    All, StudyFileNumberFaults,
    testing::Values(
        NumberFault{"family = \"normal\"\ncolumn = \"level\"\n", ErrorCode::missing_key,
                    "normal-inverse-gamma = [mean, weight, shape, scale]"},
        NumberFault{"family = \"gamma\"\ncolumn = \"wait\"\n", ErrorCode::missing_key, "shape"},
        NumberFault{"family = \"gamma\"\ncolumn = \"wait\"\nshape = 2\nprior = { beta = [1, 1] }\n",
                    ErrorCode::unknown_key, "gamma"},
        NumberFault{"family = \"poisson\"\ncolumn = \"visits\"\nshape = 2\n", ErrorCode::unknown_key,
                    "shape"},
        NumberFault{"family = \"poisson\"\ncolumn = \"visits\"\nprior = { gamma = [1, 0] }\n",
                    ErrorCode::bad_prior, "0.000001"},
        NumberFault{"family = \"poisson\"\ncolumn = \"wait\"\n", ErrorCode::bad_value,
                    "`integer = [lo, hi]`"},
        NumberFault{"family = \"poisson\"\ncolumn = \"group\"\n", ErrorCode::bad_value, "without cuts"},
        NumberFault{"family = \"exponential\"\ncolumn = \"visits\"\n", ErrorCode::bad_value, "grid"},
        NumberFault{"family = \"exponential\"\ncolumn = \"level\"\n", ErrorCode::bad_value, "from 0 on"},
        NumberFault{"family = \"pareto\"\ncolumn = \"wait\"\nminimum = 1\n", ErrorCode::bad_value, "above 0"},
        NumberFault{"family = \"pareto\"\ncolumn = \"size\"\nminimum = 20\n", ErrorCode::bad_value,
                    "study.toml:24:11: 'minimum' is 20, and column 'size' ends at 20"},
        NumberFault{"family = \"pareto\"\ncolumn = \"size\"\nminimum = 500\n", ErrorCode::bad_value,
                    "no record would lie inside"},
        NumberFault{"family = \"binomial\"\ncolumn = \"visits\"\ntrials = 10\n", ErrorCode::bad_value,
                    "`integer = [0, 10]`"},
        NumberFault{"family = \"binomial\"\ncolumn = \"visits\"\ntrials = \"2.5\"\n", ErrorCode::bad_value,
                    "whole number"},
        NumberFault{"family = \"weibull\"\ncolumn = \"wait\"\nshape = 1000\n", ErrorCode::bad_value,
                    "finite"},
        NumberFault{"family = \"cauchy\"\ncolumn = \"level\"\n", ErrorCode::unsupported, "log-normal"}));

/// The study with one piece of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kStudy;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(StudyFile, NamesUnknownKeysBeforeMissingOnes) {
  const std::pair<std::string, std::string> kChanges[] = {
      {"dataset =", "dateset ="}, {"adjacency =", "adjacancy ="}, {"categories =", "catgories ="},
      {"grid =", "gird ="},       {"kind   =", "knid   ="},       {"family = \"b", "familly = \"b"},
      {"column =", "colunm ="},   {"beta =", "betta ="},
  };
  for (const auto& [from, to] : kChanges) {
    const Error error = refusal(changed(from, to));
    EXPECT_EQ(error.code(), ErrorCode::unknown_key) << to << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("did you mean"), std::string::npos) << error.what();
  }
  // A key that is nothing like the one that is missing is named all the same.
  const Error error = refusal(changed("categories =", "values ="));
  EXPECT_EQ(error.code(), ErrorCode::unknown_key);
  EXPECT_NE(std::string(error.what()).find("the keys are categories, integer, real"), std::string::npos)
      << error.what();
  EXPECT_EQ(refusal(changed("column = \"smoker\"\n", "")).code(), ErrorCode::missing_key);
}

TEST(StudyFile, ReadsAMissingNumberByItsValue) {
  const Study study =
      parse_study(changed("grid = \"100\"", "grid = \"100.00\"\nmissing = \"300.0\""), "s.toml");
  EXPECT_EQ(std::get<MapTo>(study.schema.at("income").missing).level, 3U);
}

TEST(SilentRules, SayWhatBecomesOfFieldsThatAreNotAsDeclared) {
  Study study = parse_study(kStudy, "study.toml");
  EXPECT_EQ(
      silent_rules(study),
      "By the study's rules, and silently: an empty or undeclared \"smoker\" counts as \"no\". How often "
      "that happened is never told.");
  study.model = Categorical{{"smoker", "age"}, std::vector<Rational>(8, Rational(1))};
  EXPECT_NE(
      silent_rules(study).find("; an empty or unreadable \"age\" counts as \"18-29\", one outside 18..99 "
                               "counts as the nearest bound."),
      std::string::npos)
      << silent_rules(study);
}

}  // namespace
}  // namespace postern::model
