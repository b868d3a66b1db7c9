// A document of rounds: what the strict reader refuses, and what `verify` sees when the design, the costs and
// the candidates of every round are computed again.

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "chooser.hpp"
#include "test_data.hpp"

namespace postern::release {
namespace {

/// As the gate would make it, with made-up noisy values: c was chosen.
Release made_up() {
  Release out;
  out.study = model::chooser_study({.rule = "steady"});
  out.release_id = "00112233445566778899aabbccddeeff";
  out.created = "2026-10-05";
  out.software = "postern 0.1.0";
  out.request.mechanism = model::default_mechanism(out.study);
  out.n = PrivateCount{1000};
  out.ledger = {7, std::string(64, 'a'), "0123456789abcdef0123456789abcdef"};
  const auto plan = model::make_noise_plan(out.study, out.request, Spend::parse(Currency::pure, "0.1"));
  out.cost = plan.cost;
  out.rounds = Rounds{*plan.rounds, {}};
  const std::vector<std::vector<Int128>> values{{-4, 31}, {1}, {17, 15}};
  for (std::size_t r = 0; r < 3; ++r) {
    const auto before = published_rounds(out);
    const auto next = model::next_round(out.study, out.request, out.cost, before);
    add_round(out, {{next->blocks.at(0), values[r]}});
    if (r < 2) out.rounds->made.back().table = model::found_counts(out);
  }
  return out;
}

/// The names of the checks that fail.
std::string failing(const Release& release) {
  std::string out;
  for (const Check& check : verify(release))
    if (!check.passed) out += (out.empty() ? "" : " ") + check.name;
  return out;
}

std::string failing_after(const std::function<void(Release&)>& change) {
  Release release = made_up();
  change(release);
  return failing(parse_document(to_document(release)));
}

TEST(VerifyRounds, TheDocumentIsWrittenByteForByte) {
  const std::string path = test_data("../rounds/chooser.release.json");
  const std::string document = to_document(made_up());
  if (std::getenv("POSTERN_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << document;
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), document);
}

TEST(VerifyRounds, WhatIsTruePasses) {
  EXPECT_EQ(failing(parse_document(to_document(made_up()))), "");
  for (const Check& check : verify(made_up())) {
    if (check.name == "cost") {
      EXPECT_EQ(check.detail, "0.025 + 0.025 + 0.05 of epsilon 0.1, as recomputed");
    }
    if (check.name == "rounds") {
      EXPECT_EQ(check.detail, "at most 3 rounds by rule chooser-steady, as recomputed");
    }
  }
}

TEST(VerifyRounds, EveryEditIsSeen) {
  // Another table would have made other candidates' scores, another choice another third round.
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->made[0].table[1] = 30; }), "shape");
  EXPECT_EQ(failing_after([](Release& r) { r.blocks[1].values[0] = 0; }), "shape");
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->made[0].table.push_back(3); }), "shape noise");
  // Noise, costs, sensitivities.
  EXPECT_EQ(failing_after([](Release& r) { r.blocks[2].block.noise.parameter *= 2; }), "cost noise");
  EXPECT_EQ(failing_after([](Release& r) { r.blocks[1].block.noise.parameter /= 2; }), "cost noise");
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->made[1].cost = Spend::parse(Currency::pure, "0.02"); }),
            "cost");
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->made[2].sensitivity = 2; }), "sensitivity");
  EXPECT_EQ(failing_after([](Release& r) { r.cost = Spend::parse(Currency::pure, "0.09"); }),
            "cost shape noise");
  EXPECT_EQ(failing_after([](Release& r) { r.cost = Spend::parse(Currency::pure, "0.2"); }), "noise");
  // Rounds that are missing, and another rule.
  EXPECT_EQ(failing_after([](Release& r) {
              r.rounds->made.pop_back();
              r.blocks.pop_back();
            }),
            "shape noise");
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->plan.rule = "chooser-thrifty"; }), "rounds");
  EXPECT_EQ(failing_after([](Release& r) { r.rounds->plan.at_most = 4; }), "rounds");
  EXPECT_EQ(failing_after([](Release& r) {
              r.rounds.reset();
              r.blocks.resize(1);
            }),
            "cost shape noise rounds");
}

ErrorCode refusal_of(const std::string& document) {
  try {
    (void)parse_document(document);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(VerifyRounds, TheReaderRefusesWhatCannotBe) {
  const std::string document = to_document(made_up());
  const std::string plan = "{\"at_most\":3,\"rule\":\"chooser-steady\"}";
  EXPECT_EQ(refusal_of(replaced(document, plan, "{\"at_most\":2,\"rule\":\"chooser-steady\"}")),
            ErrorCode::release_malformed);
  EXPECT_EQ(refusal_of(replaced(document, plan, "{\"at_most\":0,\"rule\":\"chooser-steady\"}")),
            ErrorCode::release_limit);
  EXPECT_EQ(refusal_of(replaced(document, plan, "{\"at_most\":3}")), ErrorCode::release_malformed);
  EXPECT_EQ(refusal_of(replaced(document, ",\"rounds\":" + plan, "")), ErrorCode::release_malformed);
  EXPECT_EQ(refusal_of(replaced(document, "\"table\":[0,31]", "\"table\":[]")), ErrorCode::release_malformed);
  EXPECT_EQ(refusal_of(replaced(document, "\"table\":[0,31]", "\"table\":[0,\"3/2\"]")),
            ErrorCode::release_malformed);
  EXPECT_EQ(
      refusal_of(replaced(document, "\"table\":[0,31]", "\"table\":[0,\"1267650600228229401496703205376\"]")),
      ErrorCode::release_limit);
  EXPECT_EQ(refusal_of(replaced(document, "\"values\":[1]", "\"values\":[2]")),
            ErrorCode::release_inconsistent);
  // One round with a request of its own.
  EXPECT_EQ(refusal_of(replaced(document, "\"mechanism\":\"laplace\",\"sensitivity\"",
                                "\"mechanism\":\"laplace\",\"request\":{\"shares\":{\"a\":\"2\"}},"
                                "\"sensitivity\"")),
            ErrorCode::release_not_canonical);
}

/// The row of the ledger names the rule and the most rounds: they are in what it hashes.
TEST(VerifyRounds, ThePlanFixesRuleAndMostRounds) {
  const Release release = made_up();
  const auto plan = model::make_noise_plan(release.study, release.request, release.cost);
  const std::string text = plan_document(release.study, plan);
  EXPECT_NE(text.find("\"rounds\":{\"at_most\":3,\"rule\":\"chooser-steady\"}"), std::string::npos) << text;
  EXPECT_EQ(plan.cost, release.cost);
}

}  // namespace
}  // namespace postern::release
