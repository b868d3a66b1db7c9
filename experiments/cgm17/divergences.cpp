#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "postern/core/parallel.hpp"

#include "figures.hpp"
#include "method.hpp"

namespace postern::cgm17 {
namespace {

using infer::MarkovEstimator;

/// What one method made of one trial; a divergence that is NaN was not measured.
struct Measured {
  std::string method;
  double divergence = 0;
  double seconds = 0;
};

struct Cell {
  const char* graph = nullptr;
  std::uint32_t levels = 0;
  std::size_t n = 0;
  double epsilon = 0;
};

struct Design {
  int populations = 5;
  int noises = 2;
  int message_passing = 1;  ///< populations whose first noise also goes through the paper's message passing
  bool descent = true;
};

class Trials {
 public:
  Trials(const Truth& truth, const Cell& cell, const Design& design, const Plan& plan)
      : truth_(truth), cell_(cell), design_(design), plan_(plan) {}

  /// All trials of one population.
  std::vector<Measured> run(const Population& population, int number, std::uint32_t stream) const {
    std::vector<Measured> out;
    add(out, "without privacy",
        learn(exact_tables(truth_, population), MarkovEstimator::naive,
              {.ridge = 0.05 / static_cast<double>(cell_.n), .tolerance = 1e-6}));
    for (int j = 0; j < design_.noises; ++j) {
      Rng rng(plan_.seed, stream + static_cast<std::uint32_t>(j), Purpose::simulation);
      const auto problem = laplace_tables(truth_, population, cell_.epsilon, rng);
      estimators(out, problem);
      if (j == 0 && number < design_.message_passing)
        add(out, "cgm (nlbp)", learn(problem, MarkovEstimator::nlbp));
      normal_noise(out, population, rng);
    }
    return out;
  }

  /// The descent, at the grid's best point of the first population: tuned on the truth, which nobody has.
  std::vector<Measured> run_descent(const std::vector<std::unique_ptr<Population>>& populations,
                                    std::uint32_t stream) const {
    std::vector<Measured> out;
    Rng rng(plan_.seed, stream, Purpose::simulation);
    const double delta = 1 / static_cast<double>(cell_.n);
    double best = std::numeric_limits<double>::infinity();
    Descent chosen;
    for (const Descent& point : descent_grid(cell_.n, plan_.quick)) {
      const Learnt learnt = learn_by_descent(truth_, *populations[0], point, cell_.epsilon, delta, rng);
      const double divergence = learnt.theta.empty() ? best : truth_.kl_to(truth_.model, learnt.theta);
      if (divergence >= best) continue;
      best = divergence;
      chosen = point;
    }
    if (!std::isfinite(best)) return out;
    for (const auto& population : populations)
      add(out, "dp-sgd", learn_by_descent(truth_, *population, chosen, cell_.epsilon, delta, rng));
    return out;
  }

 private:
  void add(std::vector<Measured>& out, const char* method, const Learnt& learnt) const {
    out.push_back({method, truth_.kl_to(truth_.model, learnt.theta), learnt.seconds});
  }

  void estimators(std::vector<Measured>& out, const infer::MarkovProblem& problem) const {
    add(out, "uniform", learn(problem, MarkovEstimator::uniform));
    add(out, "random", learn(problem, MarkovEstimator::random, {.tolerance = 1e-6}));
    Measured tuned{"naive (best ridge)", std::numeric_limits<double>::infinity(), 0};
    for (const double ridge : {1e-4, 1e-3, 1e-2, 1e-1}) {
      const Learnt learnt = learn(problem, MarkovEstimator::naive, {.ridge = ridge, .tolerance = 1e-6});
      if (ridge == 1e-3) add(out, "naive", learnt);
      tuned.divergence = std::min(tuned.divergence, truth_.kl_to(truth_.model, learnt.theta));
      tuned.seconds += learnt.seconds;
    }
    out.push_back(tuned);
    add(out, "cgm (exact E step)", learn(problem, MarkovEstimator::em));
    add(out, "na-map", learn(problem, MarkovEstimator::na_map));
  }

  void normal_noise(std::vector<Measured>& out, const Population& population, Rng& rng) const {
    const double variance = gaussian_variance(truth_, cell_.epsilon, 1 / static_cast<double>(cell_.n));
    const auto problem = noisy_tables(truth_, population, release::DiscreteGaussian(variance), rng);
    add(out, "na-map (normal noise)", learn(problem, MarkovEstimator::na_map));
  }

  const Truth& truth_;
  Cell cell_;
  Design design_;
  Plan plan_;
};

void write_cell(std::ofstream& out, const Truth& truth, const Cell& cell, const Design& design,
                const Plan& plan, std::uint32_t stream) {
  std::vector<std::unique_ptr<Population>> populations;
  for (int i = 0; i < design.populations; ++i) {
    Rng rng(plan.seed, stream + 900 + static_cast<std::uint32_t>(i), Purpose::simulation);
    populations.push_back(std::make_unique<Population>(truth, cell.n, rng));
  }
  const Trials trials(truth, cell, design, plan);
  std::vector<std::vector<Measured>> found(populations.size() + 1);
  parallel_for(found.size(), plan.threads, [&](std::size_t i) {
    if (i < populations.size()) {
      found[i] =
          trials.run(*populations[i], static_cast<int>(i), stream + 10 * static_cast<std::uint32_t>(i));
    } else if (design.descent) {
      found[i] = trials.run_descent(populations, stream + 800);
    }
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Measured& one : found[i])
      out << cell.graph << ',' << cell.levels << ',' << cell.n << ',' << cell.epsilon << ',' << one.method
          << ',' << i << ',' << one.divergence << ',' << one.seconds << '\n';
  }
  out.flush();
}

void write_graph(std::ofstream& out, const char* name, const Edges& edges, std::uint32_t levels,
                 const Plan& plan, std::uint32_t stream) {
  Rng draw(plan.seed, stream, Purpose::simulation);
  const Truth truth(10, levels, edges, draw);
  Design design;
  if (plan.quick) design = {2, 1, 1, true};
  if (levels > 5) design = {3, 1, 0, true};
  for (const std::size_t n : {1000U, 10'000U, 100'000U, 1'000'000U}) {
    if (plan.quick && n != 10'000) continue;
    for (const double epsilon : {0.05, 0.1, 0.5, 1.0}) {
      if ((plan.quick || levels > 5) && epsilon != 0.5) continue;
      stream += 1000;
      if (plan.n > 0 && plan.n != n) continue;
      write_cell(out, truth, {name, levels, n, epsilon}, design, plan, stream);
    }
  }
}

}  // namespace

void write_divergences(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "cgm17-fig2.csv");
  out << "graph,levels,n,epsilon,method,population,kl,seconds\n";
  Rng draw(plan.seed, 400, Purpose::simulation);
  const Edges random = random_graph(10, 0.3, 5, draw);
  const std::uint32_t few = plan.quick ? 3 : 5;
  const auto wanted = [&](const char* part) { return plan.only.empty() || plan.only == part; };
  if (wanted("chain")) write_graph(out, "third-order chain", third_order_chain(10), few, plan, 100'000);
  if (wanted("random")) write_graph(out, "random graph", random, few, plan, 200'000);
  if (wanted("ten") && !plan.quick)
    write_graph(out, "third-order chain", third_order_chain(10), 10, plan, 300'000);
}

}  // namespace postern::cgm17
