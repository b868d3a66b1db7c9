// The learned priors of numbers in the engines: against sums and integrals written out, ranks of truths that
// are drawn from them, and columns of real data whose bounds are twenty times too wide.

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "number_problems.hpp"
#include "ranks.hpp"

namespace postern::infer {
namespace {

/// With the family's learned prior over the column's range.
NumberProblem learned_problem(const NumberShape& shape) {
  NumberProblem problem = number_problem(shape);
  const model::NumberFamily& family = *model::find_number_family(shape.family);
  const auto [law, prior] = learned_prior(family, shape.known, statistic_range(problem.number));
  problem.law = law;
  problem.prior = prior;
  problem.learned = true;
  return problem;
}

// ---- Poisson, 0 to 4, a few records: every sum, every lambda.

double poisson_prior(double z) {  // of log lambda: means of 4e-5 to 40, in 14 steps
  double sum = 0;
  for (int k = 0; k <= 14; ++k) {
    const double rate = 1 / (4e-5 * std::exp(std::log(1e6) * k / 14));
    sum += rate * std::exp(z - rate * std::exp(z)) / 15;
  }
  return sum;
}

/// The law of the sum of n records.
std::vector<double> law_of_sum(double lambda, int n) {
  std::array<double, 5> mass{};
  double rest = 1;
  for (int x = 0; x < 4; ++x) {
    mass[static_cast<std::size_t>(x)] = std::exp(x * std::log(lambda) - lambda - std::lgamma(x + 1.));
    rest -= mass[static_cast<std::size_t>(x)];
  }
  mass[4] = std::max(rest, 0.0);
  std::vector<double> out{1};
  for (int i = 0; i < n; ++i) {
    std::vector<double> next(out.size() + 4, 0);
    for (std::size_t s = 0; s < out.size(); ++s) {
      for (std::size_t x = 0; x < 5; ++x) next[s + x] += out[s] * mass[x];
    }
    out = next;
  }
  return out;
}

struct Moments {
  double evidence = 0;
  double mean = 0;
  double square = 0;
};

/// By the trapezoidal rule in log lambda, with n known or uniform on 0..at_most and seen.
Moments integrate(const NumberProblem& problem) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const int least = known != nullptr ? static_cast<int>(known->n) : 0;
  const int most = known != nullptr ? least : static_cast<int>(std::get<LatentTotal>(problem.total).at_most);
  Moments out;
  for (double z = -60; z < 8; z += 0.02) {
    double likely = 0;
    for (int n = least; n <= most; ++n) {
      const std::vector<double> sums = law_of_sum(std::exp(z), n);
      double here = 0;
      for (std::size_t s = 0; s < sums.size(); ++s)
        here += sums[s] *
                std::exp(release::log_pmf(problem.sums[0].law, problem.sums[0].y - static_cast<double>(s)));
      if (known == nullptr) {
        here *= std::exp(release::log_pmf(problem.counts[0].law, problem.counts[0].y - n)) / (most + 1);
      }
      likely += here;
    }
    const double mass = 0.02 * poisson_prior(z) * likely;
    out.evidence += mass;
    out.mean += mass * std::exp(z);
    out.square += mass * std::exp(2 * z);
  }
  out.mean /= out.evidence;
  out.square /= out.evidence;
  return out;
}

TEST(LearnedPoisson, IsTheIntegralWrittenOut) {
  for (const bool latent : {false, true}) {
    for (const double y : {-3., 2., 14.}) {
      NumberProblem problem = learned_problem({"poisson", {}, model::IntegerRange{0, 4, {}}, {}});
      problem.sums = {{y, release::DiscreteLaplace(0.3)}};
      problem.total = KnownTotal{5};
      if (latent) {
        problem.total = LatentTotal{7, 0};
        problem.counts = {{4, release::DiscreteLaplace(0.5)}};
      }
      const Moments truth = integrate(problem);
      const NumberPosterior posterior(problem, 1);
      EXPECT_NEAR(posterior.mean(), truth.mean, 1e-6 * truth.mean) << latent << " " << y;
      EXPECT_NEAR(posterior.sd(), std::sqrt(truth.square - truth.mean * truth.mean), 1e-5 * truth.mean);
      EXPECT_NEAR(posterior.log_evidence(), std::log(truth.evidence), 1e-6);
    }
  }
}

// ---- Ranks.

struct Setting {
  NumberShape shape;
  std::int64_t n;  ///< known, or the largest
  double epsilon;
  bool latent = false;
};

struct Truth {
  model::Theta theta{};
  std::int64_t n = 0;
};

double seen(double value, const release::NoiseLaw& law, Rng& rng) {
  return value + static_cast<double>(release::simulate(law, rng));
}

/// Draws records under theta, and what is released of them into the problem.
void simulate(const Setting& setting, const Truth& truth, NumberProblem& problem, Rng& rng) {
  const auto& adds = problem.number.values.adds;
  double sum = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < truth.n; ++i) {
    const std::int64_t level = problem.number.level_of(problem.law->draw(truth.theta, rng));
    const auto k = static_cast<double>(adds[static_cast<std::size_t>(level)]);
    sum += k;
    squares += k * k;
  }
  const auto reach = static_cast<double>(std::max(std::abs(adds.front()), std::abs(adds.back())));
  const auto noise = [&](double width) { return release::DiscreteLaplace(setting.epsilon / width); };
  problem.sums = {{seen(sum, noise(2 * reach), rng), noise(2 * reach)}};
  if (problem.squares)
    problem.square_sums = {{seen(squares, noise(2 * reach * reach), rng), noise(2 * reach * reach)}};
  problem.total = KnownTotal{truth.n};
  if (!setting.latent) return;
  problem.counts = {{seen(static_cast<double>(truth.n), noise(2), rng), noise(2)}};
  problem.total = LatentTotal{setting.n, 0};
}

/// Ranks of the parameters, and of n where it is latent.
using Draws = std::vector<std::vector<double>>;
using Engine = Draws (*)(const NumberProblem& problem, std::size_t draws, Rng& rng);

/// KS distances from uniform exceed 2.70/sqrt(M) with probability 1e-6.
void expect_calibrated(const Setting& setting, std::size_t studies, Engine engine) {
  std::vector<std::vector<double>> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) {
    Rng rng(20261118, static_cast<std::uint32_t>(i), Purpose::calibration);
    NumberProblem problem = learned_problem(setting.shape);
    Truth truth{problem.law->draw_theta(problem.prior, rng), setting.n};
    if (setting.latent)
      truth.n = static_cast<std::int64_t>(rng.uniform() * static_cast<double>(setting.n + 1));
    simulate(setting, truth, problem, rng);
    const Draws draws = engine(problem, 49, rng);
    for (std::size_t q = 0; q < draws.size(); ++q) {
      const double value = q < problem.parameters ? truth.theta[q] : static_cast<double>(truth.n);
      ranks[i].push_back(rank_of(value, draws[q], rng));
    }
  });
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    const double distance = assess::ks_uniform(one);
    EXPECT_LT(distance, 2.70 / std::sqrt(static_cast<double>(studies))) << "quantity " << q;
    testing::Test::RecordProperty("ks_" + std::to_string(q), std::to_string(distance));
  }
}

Draws by_exact(const NumberProblem& problem, std::size_t draws, Rng& rng) {
  const NumberPosterior posterior(problem, 1);
  const bool latent = std::holds_alternative<LatentTotal>(problem.total);
  Draws out(latent ? 2 : 1);
  std::array<std::int64_t, 1> total{};
  for (std::size_t i = 0; i < draws; ++i) {
    out[0].push_back(posterior.draw(total, rng));
    if (latent) out[1].push_back(static_cast<double>(total[0]));
  }
  return out;
}

template <class Run>
Draws by_chains(const NumberProblem& problem, std::size_t draws, Rng& rng, const Run& run_chain) {
  DriverOptions options;
  options.chains = 1;
  options.draws = static_cast<int>(draws);
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = run_chain(std::vector<NumberProblem>{problem}, options);
  Draws out;
  for (std::size_t q = 0; q * draws < run.draws[0].size(); ++q) {
    const auto from = run.draws[0].begin() + static_cast<std::ptrdiff_t>(q * draws);
    out.emplace_back(from, from + static_cast<std::ptrdiff_t>(draws));
  }
  return out;
}

Draws by_augment(const NumberProblem& problem, std::size_t draws, Rng& rng) {
  return by_chains(problem, draws, rng, [](const auto& sets, const DriverOptions& options) {
    return draw_augmented_number(sets, options, {});
  });
}

Draws by_gibbs(const NumberProblem& problem, std::size_t draws, Rng& rng) {
  return by_chains(problem, draws, rng, [](const auto& sets, const DriverOptions& options) {
    return draw_joint_squares(sets, options, {});
  });
}

const model::IntegerRange kWhole{0, 8, {}};
const model::RealRange kReal{Rational(-4), Rational(6), Rational(1, 4), {}};
const model::RealRange kPositive{Rational(0), Rational(5), Rational(1, 8), {}};

TEST(LongLearnedRanks, Exact) {
  expect_calibrated({{"poisson", {}, kWhole, {}}, 30, 1}, 100, by_exact);
  expect_calibrated({{"geometric", {}, kWhole, {}}, 30, 1}, 100, by_exact);
  expect_calibrated({{"binomial", {8}, kWhole, {}}, 30, 1}, 100, by_exact);
  expect_calibrated({{"normal-mean", {2}, kReal, {}}, 30, 1}, 100, by_exact);
  expect_calibrated({{"rayleigh", {}, kPositive, {}}, 30, 1}, 100, by_exact);
}

TEST(LongLearnedRanks, ExactWithAPrivateNumberOfRecords) {
  expect_calibrated({{"poisson", {}, kWhole, {}}, 30, 1, true}, 100, by_exact);
}

TEST(LongLearnedRanks, Augment) {
  expect_calibrated({{"exponential", {}, kPositive, {}}, 20, 1}, 300, by_augment);
  expect_calibrated({{"normal", {}, kReal, {}}, 20, 2}, 300, by_augment);
  expect_calibrated({{"normal", {}, kReal, {}}, 20, 2, true}, 300, by_augment);
}

TEST(LongLearnedRanks, Gibbs) { expect_calibrated({{"normal", {}, kReal, {}}, 2000, 1}, 300, by_gibbs); }

// ---- Real columns, bounds twenty times too wide.

std::vector<double> read_column(const std::string& file, std::size_t column) {
  const char* folder = std::getenv("POSTERN_DATA");
  std::vector<double> out;
  if (folder == nullptr) return out;
  std::ifstream in(std::string(folder) + "/" + file);
  for (std::string line; std::getline(in, line);) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < column; ++i) from = line.find(',', from) + 1;
    char* end = nullptr;
    const double value = std::strtod(line.c_str() + from, &end);
    if (end != line.c_str() + from) out.push_back(value);
  }
  return out;
}

struct RealColumn {
  const char* name;
  const char* file;
  std::size_t column;
};

struct Held {
  int mean = 0;
  int sd = 0;
  int releases = 0;
};

/// By how many of so many releases the mean and the sd of the records are held in their 90 % intervals.
Held held(const std::vector<double>& records, double times, double epsilon, int releases) {
  const auto [least, most] = std::minmax_element(records.begin(), records.end());
  const double middle = 0.5 * (*least + *most);
  const auto half = static_cast<long>(std::ceil(0.5 * times * (*most - *least)));
  const auto centre = static_cast<long>(middle);
  NumberProblem problem = learned_problem(
      {"normal",
       {},
       model::RealRange{centre - half, centre + half, std::max(Rational(half, 1000), Rational(1, 4)), {}},
       {}});
  double sum = 0;
  double squares = 0;
  double mean = 0;
  double square = 0;
  for (const double x : records) {
    const auto k =
        static_cast<double>(problem.number.values.adds[static_cast<std::size_t>(problem.number.level_of(x))]);
    sum += k;
    squares += k * k;
    mean += x / static_cast<double>(records.size());
    square += x * x / static_cast<double>(records.size());
  }
  const double sd = std::sqrt(square - mean * mean);
  const auto& adds = problem.number.values.adds;
  const auto reach = static_cast<double>(std::max(std::abs(adds.front()), std::abs(adds.back())));
  problem.total = KnownTotal{static_cast<std::int64_t>(records.size())};
  Held out;
  for (; out.releases < releases; ++out.releases) {
    Rng rng(20261118, static_cast<std::uint32_t>(out.releases), Purpose::test);
    const auto add_noise = [&](double value, double width) {
      const release::DiscreteLaplace law(epsilon / width);
      return NoisyValue{seen(value, law, rng), law};
    };
    problem.sums = {add_noise(sum, 4 * reach)};
    problem.square_sums = {add_noise(squares, 2 * reach * reach)};
    const Draws draws = by_gibbs(problem, 1000, rng);
    const auto inside = [](std::vector<double> values, double truth) {
      std::sort(values.begin(), values.end());
      return values[50] < truth && truth < values[949];
    };
    out.mean += inside(draws[0], mean) ? 1 : 0;
    out.sd += inside(draws[1], sd * sd) ? 1 : 0;
  }
  return out;
}

// Bounds that fit and bounds twenty times too wide: the records' mean and sd are held in more than .75 of
// releases, which a posterior that holds them in .9 misses once in a thousand times where there are 48.
void expect_held(const std::vector<RealColumn>& columns, const std::vector<double>& epsilons, int releases) {
  if (std::getenv("POSTERN_DATA") == nullptr) GTEST_SKIP() << "POSTERN_DATA names no folder";
  Held all;
  for (const RealColumn& one : columns) {
    const std::vector<double> records = read_column(one.file, one.column);
    ASSERT_GT(records.size(), 700U) << one.name;
    for (const double epsilon : epsilons) {
      for (const double times : {1.2, 20.}) {
        const Held here = held(records, times, epsilon, releases);
        testing::Test::RecordProperty(std::string(one.name) + "_n" + std::to_string(records.size()) + "_x" +
                                          std::to_string(times) + "_eps" + std::to_string(epsilon),
                                      std::to_string(here.mean) + "_" + std::to_string(here.sd));
        all.mean += here.mean;
        all.sd += here.sd;
        all.releases += here.releases;
      }
    }
  }
  EXPECT_GT(all.mean, all.releases * 0.75);
  EXPECT_GT(all.sd, all.releases * 0.75);
}

TEST(LongLearnedNormalOnRealColumns, HoldsMeanAndSd) {
  expect_held({{"glucose", "pima-indians-diabetes.csv", 1},
               {"pressure", "pima-indians-diabetes.csv", 2},
               {"bmi", "pima-indians-diabetes.csv", 5},
               {"age", "pima-indians-diabetes.csv", 7},
               {"age", "adult.csv", 0},
               {"education-num", "adult.csv", 4},
               {"hours-per-week", "adult.csv", 12}},
              {0.3, 1., 10.}, 20);
}

}  // namespace
}  // namespace postern::infer
