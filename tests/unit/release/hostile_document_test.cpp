#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/release/document.hpp"

#include "change_model.hpp"
#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using testing::people_release;
using testing::replaced;
using testing::smoking_release;

class HostileDocument : public ::testing::Test {
 protected:
  /// The edited document is refused with this code.
  void refuses(const std::string& from, const std::string& to, ErrorCode code) const {
    SCOPED_TRACE(from + " -> " + to.substr(0, 80));
    EXPECT_REFUSAL(parse_document(replaced(text, from, to)), code);
  }
  const std::string text = to_document(smoking_release());
  const std::string people = to_document(people_release());
};

TEST_F(HostileDocument, CutShortAnywhere) {
  for (const std::string& whole : {text, people}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(static_cast<void>(parse_document(whole.substr(0, size))), Error) << size;
    }
  }
}

TEST_F(HostileDocument, OfANewerVersionOrAnotherKind) {
  refuses("\"version\":1", "\"version\":2", ErrorCode::release_version);
  refuses("\"version\":1", "\"version\":0", ErrorCode::release_limit);
  refuses("\"version\":1", "\"version\":\"1\"", ErrorCode::release_malformed);
  refuses("postern-release", "postern-idealised", ErrorCode::release_malformed);
  refuses("\"not_private\":false", "\"not_private\":true", ErrorCode::release_malformed);
  EXPECT_REFUSAL(parse_document("[]\n"), ErrorCode::release_malformed);
  EXPECT_REFUSAL(parse_document("7\n"), ErrorCode::release_malformed);
  EXPECT_REFUSAL(parse_document("{}\n"), ErrorCode::release_malformed);
}

TEST_F(HostileDocument, OfADayThatIsNone) {
  for (const char* day :
       {"2026-13-45", "2026-02-29", "2026-00-10", "2026-04-31", "0000-00-00", "2026-1-005"}) {
    refuses("\"created\":\"2026-10-05\"", std::string("\"created\":\"").append(day).append("\""),
            ErrorCode::release_malformed);
  }
  EXPECT_NO_THROW(static_cast<void>(
      parse_document(replaced(text, "\"created\":\"2026-10-05\"", "\"created\":\"2024-02-29\""))));
}

TEST_F(HostileDocument, NotCanonical) {
  EXPECT_REFUSAL(parse_document(text + "\n"), ErrorCode::release_not_canonical);
  EXPECT_REFUSAL(parse_document(text.substr(0, text.size() - 1)), ErrorCode::release_not_canonical);
  EXPECT_REFUSAL(parse_document(" " + text), ErrorCode::release_not_canonical);
  EXPECT_REFUSAL(parse_document("\xEF\xBB\xBF" + text), ErrorCode::release_not_canonical);
  EXPECT_REFUSAL(parse_document(text + std::string(1, '\0') + "tail"), ErrorCode::release_not_canonical);
  refuses("\"seq\":7", "\"seq\": 7", ErrorCode::release_not_canonical);
  refuses("\"name\":\"smoking\"", "\"name\":\"smokin\\u0067\"", ErrorCode::release_not_canonical);
  refuses("\"name\":\"smoking\"", "\"name\":\"smoking\\/\"", ErrorCode::release_not_canonical);
  refuses("\"values\":[1234]", "\"values\":[-0]", ErrorCode::release_not_canonical);
  refuses("\"counted_by\":\"postern\",\"created\":\"2026-10-05\"",
          "\"created\":\"2026-10-05\",\"counted_by\":\"postern\"", ErrorCode::release_not_canonical);
  // The same meaning, longer: every parameter of a flat prior.
  Release flat = people_release();
  model::change_model<model::Categorical>(flat.study,
                                          [](model::Categorical& model) { model.alpha.assign(8, 1); });
  const std::string short_form = to_document(flat);
  EXPECT_REFUSAL(parse_document(replaced(short_form, "\"dirichlet\":\"1\"",
                                         R"("dirichlet":["1","1","1","1","1","1","1","1"])")),
                 ErrorCode::release_not_canonical);
}

TEST_F(HostileDocument, NotJsonOrNotUtf8) {
  refuses("\"seq\":7", "\"seq\":07", ErrorCode::release_malformed);
  refuses("\"seq\":7", "\"seq\":+7", ErrorCode::release_malformed);
  refuses("\"seq\":7", "\"seq\":7,", ErrorCode::release_malformed);
  refuses("\"name\":\"smoking\"", "\"name\":\"smo\xC0\xAF\"", ErrorCode::release_malformed);      // overlong
  refuses("\"name\":\"smoking\"", "\"name\":\"smo\xED\xA0\x80\"", ErrorCode::release_malformed);  // surrogate
  refuses("\"name\":\"smoking\"", "\"name\":\"smo\xF4\x90\x80\x80\"",
          ErrorCode::release_malformed);                                                     // past U+10FFFF
  refuses("\"name\":\"smoking\"", "\"name\":\"smo\\ud800\"", ErrorCode::release_malformed);  // lone surrogate
  refuses("\"name\":\"smoking\"", "\"name\":\"smo\nking\"", ErrorCode::release_malformed);   // raw control
}

TEST_F(HostileDocument, Floats) {
  for (const char* value : {"1234.0", "1e3", "-1E-5", "0.5"}) {
    refuses("\"values\":[1234]", "\"values\":[" + std::string(value) + "]", ErrorCode::release_malformed);
  }
  refuses("\"values\":[1234]", "\"values\":[NaN]", ErrorCode::release_malformed);
  refuses("\"values\":[1234]", "\"values\":[1e999]", ErrorCode::release_limit);
}

TEST_F(HostileDocument, DuplicateKeys) {
  refuses("\"seq\":7", "\"seq\":7,\"seq\":7", ErrorCode::release_malformed);
  refuses("\"seq\":7", "\"seq\":7,\"head\":\"\"", ErrorCode::release_malformed);
  refuses("\"version\":1", "\"version\":1,\"zone\":{\"a\":1,\"b\":2,\"a\":3}", ErrorCode::release_malformed);
}

TEST_F(HostileDocument, TooDeepTooLongTooMany) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const Release deep =
      parse_document(replaced(text, "\"version\":1", "\"version\":1,\"zone\":" + nested(15)));
  EXPECT_FALSE(deep.extensions.empty());
  refuses("\"version\":1", "\"version\":1,\"zone\":" + nested(16), ErrorCode::release_limit);
  EXPECT_REFUSAL(parse_document(std::string(1'000'000, '[')), ErrorCode::release_limit);
  refuses("\"version\":1", "\"version\":1,\"zone\":\"" + std::string((1 << 20) + 1, 'x') + "\"",
          ErrorCode::release_limit);
  EXPECT_REFUSAL(parse_document(std::string((64 << 20) + 1, ' ')), ErrorCode::release_limit);
  std::string many = "[";
  for (int i = 0; i < 3'333'334; ++i) many += "[],";  // three tokens each
  EXPECT_REFUSAL(parse_document(many + "0]\n"), ErrorCode::release_limit);
}

TEST_F(HostileDocument, AbsurdNumbers) {
  const std::string ten_to_60 = "1" + std::string(60, '0');
  for (const std::string& lambda : {ten_to_60, "1/" + ten_to_60, std::string("1" + std::string(31, '0')),
                                    std::string("1/1" + std::string(19, '0'))}) {
    refuses("\"lambda\":\"1/10\"", "\"lambda\":\"" + lambda + "\"", ErrorCode::release_limit);
  }
  EXPECT_REFUSAL(parse_document(replaced(people, "\"sigma2\":\"900\"", "\"sigma2\":\"" + ten_to_60 + "\"")),
                 ErrorCode::release_limit);
  refuses("\"lambda\":\"1/10\"", "\"lambda\":" + ten_to_60,
          ErrorCode::release_limit);  // a bare number of 61 digits
  refuses("\"seq\":7", "\"seq\":" + std::string(400, '7'), ErrorCode::release_limit);
  refuses("\"values\":[1234]", "\"values\":[\"1" + std::string(60, '0') + "\"]", ErrorCode::release_limit);
  refuses("\"values\":[1234]", "\"values\":[\"1267650600228229401496703205376\"]",
          ErrorCode::release_limit);  // 2^100
  EXPECT_NO_THROW(static_cast<void>(parse_document(
      replaced(text, "\"values\":[1234]", "\"values\":[\"-1267650600228229401496703205375\"]"))));
  refuses("\"value\":5000", "\"value\":1000000000001", ErrorCode::release_limit);
  refuses("\"value\":5000", "\"value\":-1", ErrorCode::release_limit);
  refuses("\"seq\":7", "\"seq\":\"9223372036854775808\"", ErrorCode::release_limit);
}

TEST_F(HostileDocument, NumbersWrittenInAnotherWay) {
  for (const char* lambda : {"2/20", "1/0", "1/-10", "0.1", "01/10", "+1/10", "1 /10", "-0", "", "1/1"}) {
    refuses("\"lambda\":\"1/10\"", "\"lambda\":\"" + std::string(lambda) + "\"",
            ErrorCode::release_malformed);
  }
  refuses("\"lambda\":\"1/10\"", "\"lambda\":1", ErrorCode::release_malformed);
  refuses("\"values\":[1234]", "\"values\":[\"1234\"]", ErrorCode::release_malformed);
  refuses("\"values\":[1234]", "\"values\":[9007199254740993]", ErrorCode::release_malformed);
  refuses("\"values\":[1234]", "\"values\":[true]", ErrorCode::release_malformed);
  refuses("\"values\":[1234]", "\"values\":[null]", ErrorCode::release_malformed);
}

TEST_F(HostileDocument, NoiseThatIsNone) {
  refuses("\"lambda\":\"1/10\"", "\"lambda\":\"0\"", ErrorCode::release_inconsistent);
  refuses("\"lambda\":\"1/10\"", "\"lambda\":\"-1/10\"", ErrorCode::release_inconsistent);
  refuses("\"kind\":\"discrete-laplace\"", "\"kind\":\"discrete-gaussian\"", ErrorCode::release_inconsistent);
  refuses("\"mechanism\":\"laplace\"", "\"mechanism\":\"gaussian\"", ErrorCode::release_inconsistent);
  refuses("\"l1\":\"1\"", "\"l1\":\"0\"", ErrorCode::release_inconsistent);
}

TEST_F(HostileDocument, ShapesThatDoNotFit) {
  refuses("\"values\":[1234]", "\"values\":[1234,1]", ErrorCode::release_inconsistent);
  refuses("\"values\":[1234]", "\"values\":[]", ErrorCode::release_inconsistent);
  refuses("\"shape\":[1]", "\"shape\":[2]", ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(people, "\"shape\":[2,4]", "\"shape\":[4,2]")),
                 ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(people, "\"shape\":[2,4]", "\"shape\":[4294967296,4294967296]")),
                 ErrorCode::release_inconsistent);
  refuses("\"statistic\":{\"column\":\"smoker\"", "\"statistic\":{\"column\":\"smokes\"",
          ErrorCode::release_inconsistent);
  refuses("\"level\":1", "\"level\":2", ErrorCode::release_inconsistent);
}

TEST_F(HostileDocument, StatementsThatDisagree) {
  refuses("\"guarantee\":\"pure-dp\"", "\"guarantee\":\"zcdp\"", ErrorCode::release_inconsistent);
  refuses("\"adjacency\":\"replace-one\",\"currency\"", "\"adjacency\":\"add-remove\",\"currency\"",
          ErrorCode::release_inconsistent);
  refuses("\"adjacency\":\"replace-one\",\"cost\"", "\"adjacency\":\"add-remove\",\"cost\"",
          ErrorCode::release_inconsistent);
  refuses("{\"kind\":\"public\",\"value\":5000}", "{\"at_most\":10,\"kind\":\"private\"}",
          ErrorCode::release_inconsistent);
  refuses("\"ledger\":{\"dataset\":\"survey-2026\"", "\"ledger\":{\"dataset\":\"survey-2027\"",
          ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(people, "{\"at_most\":100000,\"kind\":\"private\"}",
                                         "{\"kind\":\"public\",\"value\":5}")),
                 ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(people, "{\"at_most\":100000,\"kind\":\"private\"}",
                                         "{\"at_most\":99999,\"kind\":\"private\"}")),
                 ErrorCode::release_inconsistent);
  // One of the two places that state the cost.
  refuses("\"adjacency\":\"replace-one\",\"cost\":{\"epsilon\":\"1/10\"}",
          "\"adjacency\":\"replace-one\",\"cost\":{\"epsilon\":\"1/20\"}", ErrorCode::release_inconsistent);
  refuses("\"adjacency\":\"replace-one\",\"cost\":{\"epsilon\":\"1/10\"}",
          "\"adjacency\":\"replace-one\",\"cost\":{\"epsilon\":\"1/3\"}", ErrorCode::release_inconsistent);
}

TEST_F(HostileDocument, StudiesThatCouldNotBeReleased) {
  refuses("[\"no\",\"yes\"]", "[\"no\",\"no\"]", ErrorCode::release_inconsistent);
  refuses("[\"no\",\"yes\"]", "[]", ErrorCode::release_inconsistent);
  refuses("[30,45,60]", "[45,30,60]", ErrorCode::release_inconsistent);
  refuses("\"integer\":[18,99]", "\"integer\":[99,18]", ErrorCode::release_inconsistent);
  refuses("\"integer\":[18,99]", "\"integer\":[18,\"9007199254740993\"]", ErrorCode::release_limit);
  refuses("\"integer\":[18,99]", "\"integer\":[18]", ErrorCode::release_malformed);
  refuses("\"grid\":\"1/4\"", "\"grid\":\"1/3\"", ErrorCode::release_inconsistent);
  refuses("\"grid\":\"1/4\"", "\"grid\":\"0\"", ErrorCode::release_inconsistent);
  refuses("\"beta\":[\"1/2\",\"1/2\"]", "\"beta\":[\"1/2\",\"0\"]", ErrorCode::release_inconsistent);
  refuses("\"beta\":[\"1/2\",\"1/2\"]", "\"beta\":[\"1/2\"]", ErrorCode::release_malformed);
  refuses("\"dataset\":\"survey-2026\",\"model\"", "\"dataset\":\"../etc\",\"model\"",
          ErrorCode::release_inconsistent);
  refuses("\"family\":\"bernoulli\"", "\"family\":\"poisson\"", ErrorCode::release_malformed);
  refuses("\"missing\":{\"map_to\":3}", "\"missing\":{\"map_to\":4}", ErrorCode::release_inconsistent);
  refuses("\"missing\":{\"map_to\":3}", "\"missing\":\"drop\"",
          ErrorCode::release_inconsistent);  // n is public
}

TEST_F(HostileDocument, UnknownMembersWhereAllMustBeKnown) {
  refuses("\"value\":5000", "\"value\":5000,\"weight\":2", ErrorCode::release_malformed);
  refuses("\"lambda\":\"1/10\"", "\"lambda\":\"1/10\",\"scale\":\"2\"", ErrorCode::release_malformed);
  refuses("\"not_private\":false", "\"not_private\":false,\"note\":\"\"", ErrorCode::release_malformed);
  refuses("\"privacy\":{\"adjacency\":\"replace-one\",\"currency\"",
          "\"privacy\":{\"adjacency\":\"replace-one\",\"amplified\":true,\"currency\"",
          ErrorCode::release_malformed);
  refuses("[\"measurements\",\"n\",\"privacy\",\"study\"]",
          "[\"measurements\",\"n\",\"privacy\",\"study\",\"zone\"]", ErrorCode::release_malformed);
  refuses("[\"measurements\",\"n\",\"privacy\",\"study\"]", "[\"n\",\"privacy\",\"study\"]",
          ErrorCode::release_malformed);
}

TEST_F(HostileDocument, MessagesEscapeAndCutWhatTheyQuote) {
  try {
    static_cast<void>(
        parse_document(replaced(text, "postern-release", "\\u001b[31m" + std::string(5000, 'x'))));
    ADD_FAILURE();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
    EXPECT_NE(message.find("\\u001b[31mxxx"), std::string::npos);
    EXPECT_LT(message.size(), 300u);
  }
}

}  // namespace
}  // namespace postern::release
