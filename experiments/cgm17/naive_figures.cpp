#include <array>
#include <cmath>
#include <fstream>
#include <vector>

#include "postern/core/parallel.hpp"

#include "figures.hpp"
#include "method.hpp"

namespace postern::cgm17 {
namespace {

constexpr std::uint32_t kVariables = 10;

double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum / static_cast<double>(a.size());
}

/// What Proposition 4 says, as a mean over cells.
double predicted_error(const Truth& truth, double n, double epsilon) {
  const double scale = static_cast<double>(truth.model.cliques().size()) / epsilon;
  double sum = 0;
  for (const double mu : truth.marginals) sum += mu * (1 - mu) / n + 2 * scale * scale / (n * n);
  return sum / static_cast<double>(truth.marginals.size());
}

std::vector<double> noisy_margins(const infer::MarkovProblem& problem, double n) {
  std::vector<double> out;
  for (const infer::NoisyTable& table : problem.tables) {
    for (const double y : table.values) out.push_back(y / n);
  }
  return out;
}

}  // namespace

void write_errors(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "cgm17-fig1a.csv");
  out << "n,epsilon,trial,predicted,noisy_tables,naive,without_privacy\n";
  Rng draw(plan.seed, 100, Purpose::simulation);
  const Truth truth(kVariables, plan.quick ? 4 : 10, third_order_chain(kVariables), draw);
  const int trials = plan.quick ? 1 : 3;
  std::uint32_t stream = 101;
  for (const std::size_t n : {1000U, 10'000U, 100'000U, 1'000'000U}) {
    if (plan.quick && n > 100'000) continue;
    for (int t = 0; t < trials; ++t) {
      Rng rng(plan.seed, stream++, Purpose::simulation);
      const Population population(truth, n, rng);
      const auto size = static_cast<double>(n);
      std::vector<double> empirical = population.counts;
      for (double& c : empirical) c /= size;
      for (const double epsilon : {0.1, 1.0}) {
        const auto problem = laplace_tables(truth, population, epsilon, rng);
        const Learnt naive =
            learn(problem, infer::MarkovEstimator::naive, {.ridge = 1e-4, .tolerance = 1e-6});
        out << n << ',' << epsilon << ',' << t << ',' << predicted_error(truth, size, epsilon) << ','
            << mean_square(noisy_margins(problem, size), truth.marginals) << ','
            << mean_square(naive.marginals, truth.marginals) << ',' << mean_square(empirical, truth.marginals)
            << std::endl;
      }
    }
  }
}

void write_projection(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "cgm17-fig1b.csv");
  out << "n,trial,projected,not_projected,uniform\n";
  const double epsilon = 0.5;
  const int trials = plan.quick ? 1 : 3;
  Rng draw(plan.seed, 200, Purpose::simulation);
  const Edges edges = random_graph(kVariables, 0.25, 4, draw);
  const Truth truth(kVariables, plan.quick ? 4 : 20, edges, draw);
  std::uint32_t stream = 201;
  for (const std::size_t n : {1000U, 10'000U, 100'000U, 1'000'000U}) {
    if (plan.quick && n > 100'000) continue;
    for (int t = 0; t < trials; ++t) {
      Rng rng(plan.seed, stream++, Purpose::simulation);
      const Population population(truth, n, rng);
      const auto problem = laplace_tables(truth, population, epsilon, rng);
      const Learnt with = learn(problem, infer::MarkovEstimator::naive, {.ridge = 1e-3, .tolerance = 1e-6});
      const Learnt without = naive_without_projection(problem, 1e-3);
      const std::vector<double> zero(truth.theta.size(), 0.0);
      out << n << ',' << t << ',' << truth.kl_to(truth.model, with.theta) << ','
          << truth.kl_to(truth.model, without.theta) << ',' << truth.kl_to(truth.model, zero) << std::endl;
    }
  }
}

void write_ridges(const std::filesystem::path& folder, const Plan& plan) {
  std::ofstream out(folder / "cgm17-fig1c.csv");
  out << "ridge,n,trial,private,without_privacy\n";
  const double epsilon = 0.1;
  Rng draw(plan.seed, 300, Purpose::simulation);
  const Truth truth(kVariables, plan.quick ? 4 : 10, third_order_chain(kVariables), draw);
  const std::size_t n = 100'000;
  const int trials = plan.quick ? 1 : 3;
  for (int t = 0; t < trials; ++t) {
    Rng rng(plan.seed, 301 + static_cast<std::uint32_t>(t), Purpose::simulation);
    const Population population(truth, n, rng);
    const auto noisy = laplace_tables(truth, population, epsilon, rng);
    const auto exact = exact_tables(truth, population);
    for (const double ridge : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
      const infer::MarkovOptions options{.ridge = ridge, .tolerance = 1e-6};
      out << ridge << ',' << n << ',' << t;
      for (const auto* problem : {&noisy, &exact})
        out << ',' << truth.kl_to(truth.model, learn(*problem, infer::MarkovEstimator::naive, options).theta);
      out << std::endl;
    }
  }
}

}  // namespace postern::cgm17
