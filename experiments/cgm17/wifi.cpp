#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "postern/core/parallel.hpp"

#include "accountant.hpp"
#include "figures.hpp"
#include "method.hpp"
#include "mobility.hpp"

namespace postern::cgm17 {
namespace {

using infer::MarkovEstimator;
constexpr std::size_t kCells = std::size_t{kStates} * kStates;

struct People {
  std::vector<Contribution> learning;
  std::vector<Contribution> held_out;
};

People simulate_people(std::size_t count, const Plan& plan) {
  People out;
  std::vector<Contribution> all(count);
  constexpr std::size_t block = 1000;
  parallel_for((count + block - 1) / block, plan.threads, [&](std::size_t b) {
    Rng rng(plan.seed, 600'000 + static_cast<std::uint32_t>(b), Purpose::simulation);
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i)
      all[i] = contribution(simulate_day(rng));
  });
  for (std::size_t i = 0; i < count; ++i)
    (i % 4 == 3 ? out.held_out : out.learning).push_back(std::move(all[i]));
  return out;
}

/// log p(to | from) of a law of transitions; from absence, given that one comes.
std::vector<double> log_transitions(const std::vector<double>& joint) {
  std::vector<double> out(kCells);
  for (std::size_t from = 0; from < kStates; ++from) {
    double sum = 0;
    for (std::size_t to = from == 0 ? 1 : 0; to < kStates; ++to) sum += joint[from * kStates + to];
    for (std::size_t to = 0; to < kStates; ++to)
      out[from * kStates + to] = std::log(joint[from * kStates + to] / sum);
  }
  return out;
}

/// A person's mean over counted transitions, and the mean over people.
double held_out(const std::vector<Contribution>& people, const std::vector<double>& logs) {
  double sum = 0;
  double seen = 0;
  for (const Contribution& person : people) {
    double total = 0;
    double weight = 0;
    for (const auto& [cell, w] : person) {
      total += w * logs[cell];
      weight += w;
    }
    if (weight == 0) continue;
    sum += total / weight;
    ++seen;
  }
  return sum / seen;
}

class Building {
 public:
  Building(People people, const Plan& plan)
      : people_(std::move(people)), plan_(plan), law_(graph::Sizes{kStates, kStates}, {{0, 1}}) {
    exact_.assign(kCells, 0);
    for (const Contribution& person : people_.learning) {
      for (const auto& [cell, w] : person) exact_[cell] += w;
    }
  }

  struct Score {
    double mean = 0;
    double seconds = 0;
  };

  Score score(const Learnt& learnt) const {
    return {held_out(people_.held_out, log_transitions(learnt.marginals)), learnt.seconds};
  }

  /// One unit of weight a person and one table: noise of scale 1 / epsilon. The number of people is private.
  infer::MarkovProblem problem(double epsilon, Rng& rng) const {
    infer::MarkovProblem out{{kStates, kStates}, {}, infer::LatentTotal{1 << 30, 0}, {{{0, 1}, {0}}}};
    std::vector<double> values = exact_;
    if (epsilon > 0) {
      const release::DiscreteLaplace fine(epsilon / 1024);  // on a grid of 1/1024
      for (double& y : values) y += static_cast<double>(fine.simulate(rng)) / 1024;
    }
    out.tables.push_back({{0, 1}, std::move(values), release::Laplace(epsilon > 0 ? 1 / epsilon : 1e-3)});
    return out;
  }

  /// Nothing if the noise cannot be had. The expected batch and delta are public constants.
  Score descent(const Descent& point, double epsilon, Rng& rng) const {
    const auto n = static_cast<double>(people_.learning.size());
    const double noise = noise_for(epsilon, 1e-5, static_cast<double>(point.batch) / n, point.steps);
    if (!std::isfinite(noise)) return {-std::numeric_limits<double>::infinity(), 0};
    const double start = thread_seconds();
    const Contributors contributors{people_.learning.size(), 1.0, [&](std::size_t i, std::span<double> sum) {
                                      for (const auto& [cell, w] : people_.learning[i]) sum[cell] += w;
                                    }};
    Learnt out{descend(law_, contributors, point, noise, rng), {}, 0};
    auto work = law_.workspace();
    (void)law_.evaluate(out.theta, work);
    out.marginals = work.marginals;
    out.seconds = thread_seconds() - start;
    return score(out);
  }

  Score best_descent(double epsilon, Rng& rng) const {
    Score best{-std::numeric_limits<double>::infinity(), 0};
    for (const std::size_t batch : {1024U, 4096U}) {
      for (const int steps : {100, 400}) {
        for (const double step : {1.0, 10.0, 100.0}) {
          if (plan_.quick && (batch > 1024 || steps > 100)) continue;
          const Score here = descent({batch, steps, step}, epsilon, rng);
          if (here.mean > best.mean) best = here;
        }
      }
    }
    return best;
  }

 private:
  People people_;
  Plan plan_;
  graph::LogLinear law_;
  std::vector<double> exact_;
};

}  // namespace

void write_mobility(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "cgm17-fig3b.csv");
  out << "people,epsilon,trial,method,held_out,seconds\n";
  const std::size_t count = plan.quick ? 4000 : 124'399;
  const Building building(simulate_people(count, plan), plan);
  Rng rng(plan.seed, 600, Purpose::simulation);
  const auto write = [&](double epsilon, int trial, const char* method, const Building::Score& score) {
    out << count << ',' << epsilon << ',' << trial << ',' << method << ',' << score.mean << ','
        << score.seconds << std::endl;
  };
  const infer::MarkovOptions weak{.ridge = 1e-6, .tolerance = 1e-8};
  const auto best = building.score(learn(building.problem(0, rng), MarkovEstimator::naive, weak));
  const auto floor = building.score(learn(building.problem(1, rng), MarkovEstimator::uniform));
  for (const double epsilon : {0.01, 0.05, 0.1, 0.5, 1.0}) {
    if (plan.quick && epsilon != 0.5) continue;
    write(epsilon, 0, "without privacy", best);
    write(epsilon, 0, "uniform", floor);
    for (int trial = 0; trial < (plan.quick ? 1 : 3); ++trial) {
      const auto problem = building.problem(epsilon, rng);
      write(epsilon, trial, "naive",
            building.score(learn(problem, MarkovEstimator::naive, {.ridge = 1e-5, .tolerance = 1e-8})));
      write(epsilon, trial, "cgm (exact E step)", building.score(learn(problem, MarkovEstimator::em)));
      if (trial == 0)
        write(epsilon, trial, "cgm (nlbp)", building.score(learn(problem, MarkovEstimator::nlbp)));
      write(epsilon, trial, "na-map", building.score(learn(problem, MarkovEstimator::na_map)));
      if (trial == 0) write(epsilon, trial, "dp-sgd", building.best_descent(epsilon, rng));
    }
  }
}

}  // namespace postern::cgm17
