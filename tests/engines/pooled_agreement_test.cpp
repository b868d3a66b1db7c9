#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"

#include "pooled_support.hpp"
#include "small_studies.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;

/// Releases of different datasets, all of one model.
std::vector<release::Release> make_releases(const model::SmallStudy& shape,
                                            const std::vector<std::int64_t>& n, const Rational& epsilon) {
  std::vector<release::Release> out;
  Rng rng(3, 0, Purpose::test);
  for (std::size_t d = 0; d < n.size(); ++d) {
    model::Study study = model::small_study(shape);
    study.dataset = "data" + std::to_string(d + 1);
    release::Release made =
        assess::simulate_study(study, model::small_plan(study, epsilon), n[d], rng).release;
    made.release_id.back() = static_cast<char>('1' + d);
    made.ledger.record_set.back() = static_cast<char>('1' + d);
    out.push_back(made);
  }
  return out;
}

InferOptions draws(std::size_t count, int threads = 0) {
  InferOptions options;
  options.draws = count;
  options.threads = threads;
  return options;
}

Posterior infer_with(const std::vector<release::Release>& releases, EngineChoice engine,
                     InferOptions options = {}) {
  options.engine = engine;
  return infer(releases, options, {});
}

std::vector<std::span<const double>> chains_of(const Posterior& posterior, std::size_t q) {
  std::vector<std::span<const double>> out;
  for (const auto& chain : posterior.draws)
    out.emplace_back(chain.data() + q * posterior.iterations, posterior.iterations);
  return out;
}

bool any_warning(const Posterior& posterior, const std::string& name, const std::string& words) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(), [&](const Warning& warning) {
    return warning.name == name && warning.text.find(words) != std::string::npos;
  });
}

bool any_note(const Posterior& posterior, const std::string& words) {
  return std::any_of(posterior.notes.begin(), posterior.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

/// Mean, and the shares of draws below the exact quantiles, each at 1e-6.
void expect_same_law(const Posterior& exact, const Posterior& gibbs) {
  for (std::size_t q = 0; q < exact.summary.size(); ++q) {
    const SummaryRow& row = exact.summary[q];
    SCOPED_TRACE(row.name);
    const auto chains = chains_of(gibbs, q);
    const bool discrete = row.name == "n";
    const Estimate mean = estimate(chains, discrete ? 20 * row.sd : 1, [](double x) { return x; });
    EXPECT_NEAR(mean.mean, row.mean, mean.reach);
    if (discrete) continue;
    for (const auto& [p, at] :
         {std::pair(0.05, row.q05), std::pair(0.5, row.q50), std::pair(0.95, row.q95)}) {
      const Estimate below = estimate(chains, 1, [at = at](double x) { return x <= at ? 1.0 : 0.0; });
      EXPECT_NEAR(below.mean, p, below.reach) << "quantile " << p;
    }
  }
}

TEST(PooledAgreement, OneProportionInTwoDatasetsIsThatOfTheExactEngine) {
  for (const Rational& epsilon : {Rational(1), Rational(1, 20), Rational(1, 1000)}) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const auto releases = make_releases({.currency = currency}, {100, 3000}, epsilon);
      const Posterior exact = infer_with(releases, EngineChoice::automatic);
      EXPECT_EQ(exact.engine, "exact");
      expect_same_law(exact, infer_with(releases, EngineChoice::gibbs, draws(3000)));
    }
  }
}

TEST(PooledAgreement, OneDatasetIsThatOfTheExactEngine) {
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    for (const Rational& epsilon : {Rational(1), Rational(1, 50)}) {
      const auto releases = make_releases({.levels = 5, .adjacency = adjacency}, {400}, epsilon);
      const Posterior exact = infer_with(releases, EngineChoice::automatic);
      expect_same_law(exact, infer_with(releases, EngineChoice::gibbs, draws(3000)));
    }
  }
}

// The oracles of private n: without the factor n! Gamma(alpha0) / Gamma(n + alpha0) the second is 188.9.
TEST(PooledAgreement, PrivateNIsThatOfTheOracles) {
  struct Oracle {
    std::vector<double> y;
    double scale;
    double n, sd;
  };
  for (const Oracle& oracle :
       {Oracle{{8, 5, 9}, 2, 20.46559492856, 4.67478964916},
        Oracle{{100, 3, 2, 1, 0, 0, -3, 2, 1, 4}, 10, 65.78014326669, 59.4383147608}}) {
    PooledCounts problem;
    problem.alpha.assign(oracle.y.size(), 1.0);
    CountProblem data;
    for (const double y : oracle.y)
      data.noisy_values.push_back({{y, release::DiscreteLaplace(1 / oracle.scale)}});
    data.total = LatentTotal{400};
    problem.datasets = {data};
    DriverOptions options;
    options.draws = 3000;
    const ChainRun run = draw_pooled_counts(problem, options, {});
    const auto chains = infer::chains_of(run, 0, options.draws);
    const Estimate n = estimate(chains, 400, [](double x) { return x; });
    EXPECT_NEAR(n.mean, oracle.n, n.reach);
    EXPECT_LT(n.reach, 0.1 * oracle.n);
    const Estimate square = estimate(chains, 160000, [](double x) { return x * x; });
    EXPECT_NEAR(square.mean, oracle.sd * oracle.sd + oracle.n * oracle.n, square.reach);
  }
}

TEST(PooledAgreement, AutoTakesChainsWhereNothingExactFitsAndSaysWhy) {
  const auto tables = make_releases({.levels = 3}, {100, 200}, 1);
  const Posterior posterior = infer_with(tables, EngineChoice::automatic);
  EXPECT_EQ(posterior.engine, "gibbs");
  EXPECT_EQ(posterior.reason.find("one table of 3 cells behind 2 datasets; MCMC"), 0U) << posterior.reason;
  EXPECT_EQ(posterior.names, (std::vector<std::string>{"p.1", "p.2", "p.3"}));
  EXPECT_TRUE(any_note(posterior, "assumed disjoint"));
  EXPECT_FALSE(any_warning(posterior, "few-effective-draws", "")) << "a converged run warns";
  EXPECT_FALSE(posterior.log_evidence);
  for (const SummaryRow& row : posterior.summary) {
    EXPECT_GT(row.ess.value(), 400);
    EXPECT_LT(row.rhat.value(), 1.01);
  }
  const auto large = make_releases({}, {1'000'000, 1'000'000}, 1);
  EXPECT_EQ(infer_with(large, EngineChoice::automatic, draws(100)).engine, "gibbs");
}

TEST(PooledAgreement, PrivateTotalsHaveNamesLabelsAndNotes) {
  const auto releases = make_releases({.adjacency = Adjacency::add_remove}, {100, 200}, 1);
  const Posterior posterior = infer_with(releases, EngineChoice::automatic, draws(50));
  EXPECT_EQ(posterior.names, (std::vector<std::string>{"theta", "n.1", "n.2"}));
  EXPECT_EQ(posterior.labels[2], "number of records in data2");
  EXPECT_TRUE(any_note(posterior, "n.2 is private: uniform prior on 0..1000"));
  EXPECT_TRUE(any_warning(posterior, "few-effective-draws", "theta, n.1, n.2"));
}

TEST(PooledAgreement, ExactRefusesWithTheReason) {
  for (const auto& releases : {make_releases({.levels = 3}, {10, 20}, 1),
                               make_releases({.adjacency = Adjacency::add_remove}, {10, 20}, 1),
                               make_releases({}, {1'000'000, 1'000'000}, 1)}) {
    try {
      (void)infer_with(releases, EngineChoice::exact);
      ADD_FAILURE() << "answered";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::engine_unsuitable);
      EXPECT_NE(std::string(error.what()).find("behind 2 datasets"), std::string::npos) << error.what();
    }
  }
}

TEST(PooledAgreement, PriorAndPublicRowsCount) {
  const auto releases = make_releases({.levels = 3}, {5, 5}, Rational(1, 1000));
  InferOptions options;
  options.prior = std::vector<Rational>{3, 2, 1};
  options.public_rows = PublicCounts{{300, 200, 500}};
  const Posterior posterior = infer_with(releases, EngineChoice::automatic, options);
  // Ten records, hardly seen, beside 1000 that are.
  EXPECT_NEAR(posterior.summary[0].mean, 303.0 / 1006, 0.005);
  EXPECT_NEAR(posterior.summary[2].mean, 501.0 / 1006, 0.005);
}

TEST(PooledAgreement, DrawsDoNotDependOnThreads) {
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    const auto releases =
        make_releases({.levels = 4, .adjacency = adjacency}, {100, 50, 10}, Rational(1, 10));
    const Posterior one = infer_with(releases, EngineChoice::gibbs, draws(50, 1));
    const Posterior four = infer_with(releases, EngineChoice::gibbs, draws(50, 4));
    EXPECT_EQ(one.draws, four.draws);
    EXPECT_NE(one.draws[0], one.draws[1]);
  }
}

// Several releases of one record set inside a dataset are more noisy values of one table: two of them are
// worth less than two datasets.
TEST(PooledAgreement, ASecondReleaseOfTheSameRecordsIsNotASecondDataset) {
  auto releases = make_releases({.levels = 3}, {50, 50, 50}, 5);
  releases[1].study.dataset = releases[0].study.dataset;
  releases[1].ledger.record_set = releases[0].ledger.record_set;
  releases[1].blocks = releases[0].blocks;
  const Posterior twice = infer_with(releases, EngineChoice::automatic, draws(4000));
  const Posterior once = infer_with({releases[0], releases[2]}, EngineChoice::automatic, draws(4000));
  EXPECT_NEAR(twice.summary[0].sd, once.summary[0].sd, 0.05 * once.summary[0].sd);
}

}  // namespace
}  // namespace postern::infer
