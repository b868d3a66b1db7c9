#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/wishart.hpp"

#include "change_model.hpp"
#include "number_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

// Hostile releases through the front door: `infer` on documents of every model, with every engine, and the
// real driver of chains. The answer is finite, in order and where its parameters can be, or a refusal that
// says why.

namespace postern::infer {
namespace {

/// What is hostile about a release.
struct Hostile {
  Rational epsilon;
  std::int64_t y;  ///< of every coordinate; every other one is negative where `alternating`
  Rational prior;
  std::int64_t n;  ///< public, or the most
  bool alternating = false;
};

std::vector<Hostile> settings(std::int64_t many) {
  const Rational tiny(1, 1'000'000);
  const Rational small(1, 1000);
  constexpr std::int64_t kFar = 1'000'000'000'000'000;
  return {{tiny, kFar, 1, many},
          {tiny, -kFar, small, 1},
          {tiny, 37, 1'000'000, 40},
          {1, kFar, small, 40, true},
          {1, -kFar, 1'000'000, many},
          {1, 0, 1, 40},
          {1000, kFar, 1'000'000, 1, true},
          {1000, -kFar, 1, 40},
          {1000, 37, small, many},
          {1000, 0, 1, 1}};
}

/// A document as an owner would write it, but for its numbers. Throws bad_budget where no noise is in range.
release::Release document(const model::Study& study, const Hostile& hostile) {
  release::Release out;
  out.study = study;
  const model::NoisePlan plan = model::small_plan(study, hostile.epsilon);
  out.release_id = std::string(32, '1');
  out.created = "2026-01-01";
  out.software = "postern 0";
  out.request.mechanism = plan.request.mechanism;
  out.cost = plan.cost;
  if (study.privacy.n_at_most) {
    out.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.n = release::PublicCount{hostile.n};
  }
  bool negative = false;
  for (const model::Block& block : plan.measurement.blocks) {
    release::MeasuredBlock measured{block, {}};
    for (std::size_t i = 0; i < block.size; ++i) {
      measured.values.emplace_back(negative ? -hostile.y : hostile.y);
      negative = hostile.alternating && !negative;
    }
    out.blocks.push_back(measured);
  }
  out.ledger = {1, std::string(64, '0'), std::string(32, 'a')};
  return out;
}

/// Where a quantity can be.
struct Span {
  double least = -HUGE_VAL;
  double most = HUGE_VAL;
  bool whole = false;
  [[nodiscard]] bool has(double x) const {
    return std::isfinite(x) && x >= least && x <= most && (!whole || x == std::floor(x));
  }
};

double largest_draw(const Posterior& posterior, std::size_t quantity) {
  double out = 0;
  for (const auto& chain : posterior.draws) {
    for (std::size_t i = 0; i < posterior.iterations; ++i)
      out = std::max(out, std::abs(chain[quantity * posterior.iterations + i]));
  }
  return out;
}

void expect_sane(const Posterior& posterior, const std::vector<Span>& spans) {
  ASSERT_EQ(posterior.names.size(), spans.size());
  ASSERT_EQ(posterior.summary.size(), spans.size());
  for (std::size_t q = 0; q < spans.size(); ++q) {
    const SummaryRow& row = posterior.summary[q];
    const Span loose{spans[q].least, spans[q].most * (1 + 1e-12)};  // means are rounded
    const double largest = largest_draw(posterior, q);
    ASSERT_TRUE(loose.has(row.mean)) << row.name << " mean " << row.mean;
    ASSERT_TRUE(row.sd >= 0) << row.name << " sd " << row.sd;
    // Under a prior of shape 1e-3 there are variances whose squares no double holds.
    ASSERT_TRUE(std::isfinite(row.sd) || largest > 1e150) << row.name << " sd " << row.sd;
    for (const double x : {row.q05, row.q50, row.q95}) ASSERT_TRUE(loose.has(x)) << row.name << " " << x;
    ASSERT_TRUE(row.q05 <= row.q50 && row.q50 <= row.q95) << row.name;
    for (const auto& chain : posterior.draws) {
      for (std::size_t i = 0; i < posterior.iterations; ++i) {
        const double x = chain[q * posterior.iterations + i];
        ASSERT_TRUE(spans[q].has(x)) << row.name << " drawn " << x;
      }
    }
  }
}

struct Tally {
  int answers = 0;
  int unsuitable = 0;
  int limits = 0;
};

void try_one(const model::Study& study, const Hostile& hostile, EngineChoice engine, std::vector<Span> spans,
             Tally& tally) {
  SCOPED_TRACE(testing::Message() << "epsilon " << hostile.epsilon.get_d() << ", y " << hostile.y
                                  << ", prior " << hostile.prior.get_d() << ", n " << hostile.n
                                  << (study.privacy.n_at_most ? " or fewer" : ""));
  InferOptions options;
  options.engine = engine;
  options.chains = 2;
  options.draws = 20;
  options.threads = 1;
  if (const auto most = study.privacy.n_at_most)
    spans.push_back({0, static_cast<double>(*most), engine != EngineChoice::naive});
  try {
    const std::vector<release::Release> releases{document(study, hostile)};
    expect_sane(infer(releases, options, {}), spans);
    ++tally.answers;
  } catch (const Error& error) {
    // bad_budget: noise so narrow or wide that no document holds it.
    EXPECT_TRUE(error.code() == ErrorCode::engine_limit || error.code() == ErrorCode::engine_unsuitable ||
                error.code() == ErrorCode::bad_budget)
        << error.what();
    if (error.code() == ErrorCode::engine_limit) ++tally.limits;
    if (error.code() == ErrorCode::engine_unsuitable) ++tally.unsuitable;
  }
}

/// Public n and private, Laplace noise and Gaussian: all four in turn.
void dress(model::Study& study, const Hostile& hostile, std::size_t turn) {
  const bool hidden = turn % 2 == 0;
  study.privacy.adjacency = hidden ? model::Adjacency::add_remove : model::Adjacency::replace_one;
  study.privacy.currency = turn % 4 < 2 ? Currency::pure : Currency::zcdp;
  study.privacy.n_at_most.reset();
  if (hidden) study.privacy.n_at_most = std::max<std::int64_t>(hostile.n, 1);
}

struct Engine {
  EngineChoice choice;
  const char* name;
  bool at_length = false;
};
void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }

class InferHostile : public testing::TestWithParam<Engine> {
 protected:
  /// Exact tables of 10^9 records under a prior of 10^6, and chains under one of 10^-3, take seconds each.
  static bool slow(const Hostile& hostile) {
    const EngineChoice choice = GetParam().choice;
    const bool chains = choice == EngineChoice::gibbs || choice == EngineChoice::automatic;
    return hostile.prior < 1 ? chains : hostile.prior > 1 && hostile.n > 1'000'000;
  }
  static std::vector<Hostile> settings_here() {
    std::vector<Hostile> out = settings(1'000'000'000);
    if (!GetParam().at_length) out.erase(std::remove_if(out.begin(), out.end(), slow), out.end());
    return out;
  }
  static bool is(EngineChoice choice) { return GetParam().choice == choice; }
};

TEST_P(InferHostile, Tables) {
  Tally tally;
  for (const std::uint32_t levels : {2U, 3U, 12U}) {
    for (const Hostile& hostile : settings_here()) {
      model::SmallStudy shape;
      shape.levels = levels;
      shape.prior = hostile.prior;
      model::Study study = model::small_study(shape);
      SCOPED_TRACE(levels);
      for (std::size_t turn = 0; turn < 4; ++turn) {
        dress(study, hostile, turn);
        try_one(study, hostile, GetParam().choice, std::vector<Span>(levels == 2 ? 1 : levels, Span{0, 1}),
                tally);
      }
      if (HasFailure()) return;
    }
  }
  if (is(EngineChoice::augment)) {
    EXPECT_EQ(tally.answers + tally.limits, 0);
    return;
  }
  EXPECT_GT(tally.answers, 4 * tally.limits);
  EXPECT_EQ(tally.unsuitable, 0);
  const bool always_answers = is(EngineChoice::gibbs) || is(EngineChoice::naive);
  EXPECT_TRUE(!always_answers || tally.limits == 0) << tally.limits;
}

model::Study number_study_of(const model::NumberFamily& family, const Rational& prior) {
  const bool from_one = family.name == "pareto" || family.name == "log-normal";
  model::Study study = model::number_study(
      family, {{from_one ? 1 : 0, family.bounded ? 3 : 10, family.whole ? Rational(1) : Rational(1, 2)}});
  model::change_model<model::Number>(study, [&](model::Number& number) {
    for (std::size_t i = 0; i < number.prior.size(); ++i) {
      if (family.prior_numbers[i].rule != model::NumberRule::any) number.prior[i] = prior;
    }
  });
  return study;
}

std::vector<Span> spaces(const model::NumberFamily& family, const model::Study& study) {
  const auto law = family.law(study.model.get<model::Number>().known);
  std::vector<Span> out(family.parameters.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    if (law->space(p) != model::ParameterSpace::real) out[p].least = 0;
    if (law->space(p) == model::ParameterSpace::unit) out[p].most = 1;
  }
  return out;
}

/// Records outside of the bounds are clamped, put at a level, or, where n is private, dropped.
void change_policy(model::Study& study, std::size_t turn) {
  model::Column column = study.schema.columns().front();
  if (turn % 3 == 1) column.outside = model::MapTo{1};
  if (turn % 3 == 2 && study.privacy.n_at_most) column.outside = model::Drop{};
  study.schema = model::Schema({column});
}

TEST_P(InferHostile, Numbers) {
  Tally tally;
  std::size_t turn = 0;
  for (const model::NumberFamily& family : model::number_families()) {
    SCOPED_TRACE(std::string(family.name));
    for (const Hostile& hostile : settings_here()) {
      for (std::size_t times = 0; times < (GetParam().at_length ? 3 : 1); ++times, ++turn) {
        model::Study study = number_study_of(family, hostile.prior);
        dress(study, hostile, turn);
        if (!family.bounded) change_policy(study, turn / 4);
        try_one(study, hostile, GetParam().choice, spaces(family, study), tally);
      }
      if (HasFailure()) return;
    }
  }
  // Values that contradict the model are beyond gibbs, which takes sums to be normal.
  const bool gibbs = is(EngineChoice::gibbs);
  EXPECT_GT(tally.answers, gibbs ? 0 : 2 * (tally.limits + tally.unsuitable));
  if (gibbs) {
    EXPECT_GT(tally.limits, 0);
  }
  EXPECT_EQ(tally.unsuitable > 0, is(EngineChoice::exact) || gibbs);  // of two parameters, of one
  EXPECT_TRUE(!is(EngineChoice::naive) || tally.limits == 0) << tally.limits;
}

// Under such a prior theta spreads over hundreds of powers of ten, between which the law of n must not be
// overshot.
TEST(InferHostileNumbers, TheMeanOfAPrivateNIsANumberOfRecords) {
  const model::NumberFamily& family = *model::find_number_family("gamma");
  const Hostile hostile{1, 1'000'000'000'000'000, Rational(1, 1000), 40, true};
  Tally tally;
  for (std::size_t turn = 0; turn < 12; turn += 2) {
    model::Study study = number_study_of(family, hostile.prior);
    dress(study, hostile, turn);
    change_policy(study, turn / 4);
    try_one(study, hostile, EngineChoice::exact, spaces(family, study), tally);
  }
  EXPECT_GT(tally.answers, 0);
}

TEST_P(InferHostile, Vectors) {
  Tally tally;
  std::size_t turn = 0;
  for (const std::size_t d : {std::size_t{2}, std::size_t{4}}) {
    for (const Hostile& hostile : settings_here()) {
      model::Study study =
          model::vector_study(model::Box(d, {-3, 4}), model::Adjacency::replace_one, Currency::pure);
      model::change_model<model::MultivariateNormal>(study, [&](model::MultivariateNormal& model) {
        model.weight = hostile.prior;
        model.degrees = static_cast<long>(d) - 1 + hostile.prior;
      });
      dress(study, hostile, turn++);
      std::vector<Span> spans(d + d * (d + 1) / 2);
      for (std::size_t i = 0; i < d; ++i) spans[d + model::packed_place(i, i, d)].least = 0;
      try_one(study, hostile, GetParam().choice, spans, tally);
      if (HasFailure()) return;
    }
  }
  const bool suits = is(EngineChoice::automatic) || is(EngineChoice::augment) || is(EngineChoice::naive);
  EXPECT_EQ(tally.answers > 0, suits);
  EXPECT_EQ(tally.unsuitable == 0, suits);
  EXPECT_GE(tally.answers, tally.limits);
}

std::string name_of(const testing::TestParamInfo<Engine>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(All, InferHostile,
                         testing::Values(Engine{EngineChoice::automatic, "automatic"},
                                         Engine{EngineChoice::exact, "exact"},
                                         Engine{EngineChoice::gibbs, "gibbs"},
                                         Engine{EngineChoice::augment, "augment"},
                                         Engine{EngineChoice::naive, "naive"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Long, InferHostile,
                         testing::Values(Engine{EngineChoice::automatic, "automatic", true},
                                         Engine{EngineChoice::exact, "exact", true},
                                         Engine{EngineChoice::gibbs, "gibbs", true},
                                         Engine{EngineChoice::augment, "augment", true},
                                         Engine{EngineChoice::naive, "naive", true}),
                         name_of);

// Twelve cells of 40 records, each seen 10^15 below zero with noise of a thousandth of a record: by symmetry
// every share has the mean 1/12. No double is the tilt that would balance the cells: if the exact engine
// cannot, it says so, and the chains can.
TEST(InferHostileTables, CellsThatAreAllFarBelowZeroShareAlike) {
  model::SmallStudy shape;
  shape.levels = 12;
  shape.currency = Currency::zcdp;
  const std::vector<release::Release> releases{
      document(model::small_study(shape), {1000, -1'000'000'000'000'000, 1, 40})};
  InferOptions options;
  options.draws = 500;
  options.engine = EngineChoice::gibbs;
  for (const SummaryRow& row : infer(releases, options, {}).summary) EXPECT_NEAR(row.mean, 1.0 / 12, 0.015);
  options.engine = EngineChoice::exact;
  try {
    for (const SummaryRow& row : infer(releases, options, {}).summary) EXPECT_NEAR(row.mean, 1.0 / 12, 1e-9);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
  }
}

}  // namespace
}  // namespace postern::infer
