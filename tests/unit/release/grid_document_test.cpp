// Documents of draws on a grid: chosen indices and a public recipe, never the scores.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "network_studies.hpp"
#include "refusal.hpp"

namespace postern::release {
namespace {

using model::Adjacency;
using model::Mechanism;
using testing::replaced;

Release make_grid_release(const model::Study& study, Mechanism mechanism, const char* amount) {
  const model::NoisePlan plan =
      make_noise_plan(study, mechanism, Spend::parse(study.privacy.currency, amount));
  Release out;
  out.release_id = std::string(32, '1');
  out.created = "2026-11-18";
  out.software = "test";
  out.study = study;
  out.request = plan.request;
  out.cost = plan.cost;
  out.ledger = {1, std::string(64, '0'), std::string(32, '0')};
  out.n = PublicCount{100};
  if (study.privacy.n_at_most) out.n = PrivateCount{*study.privacy.n_at_most};
  for (const model::Block& block : plan.measurement.blocks) out.blocks.push_back({block, {500}});
  return out;
}

TEST(GridDocument, RoundTripsAndIsVerified) {
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
        const model::Study study = model::network_study({2, 3}, {{}, {0}}, adjacency, currency);
        const Release wrote = make_grid_release(study, mechanism, "0.3");
        const std::string text = to_document(wrote);
        const Release read = parse_document(text);
        EXPECT_EQ(to_document(read), text);
        for (const Check& check : verify(read)) EXPECT_TRUE(check.passed) << check.name << check.detail;
      }
    }
  }
}

TEST(GridDocument, OfOtherLogarithmsOrPointsIsRefused) {
  const model::Study study = model::network_study({2}, {{}});
  const std::string text = to_document(make_grid_release(study, Mechanism::map, "1"));
  const std::string hash = model::grid_logs(Rational(1, 20), 1001)->sha256;
  EXPECT_REFUSAL(parse_document(replaced(text, hash, std::string(64, 'a'))), ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(text, "\"omega\":\"1/20\"", "\"omega\":\"3/4\"")),
                 ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_document(replaced(text, "\"values\":[500]", "\"values\":[1001]")),
                 ErrorCode::release_inconsistent);
}

TEST(GridDocument, OfAnotherScaleIsNotWhatTheStudyPaysFor) {
  const model::Study study = model::network_study({2}, {{}});
  Release release = make_grid_release(study, Mechanism::map, "1");
  release.blocks.front().block.noise.parameter *= 2;
  EXPECT_FALSE(all_passed(verify(release)));
}

}  // namespace
}  // namespace postern::release
