#include <fstream>
#include <utility>
#include <vector>

#include "figures.hpp"
#include "method.hpp"

namespace postern::cgm17 {

void write_marginals(const std::filesystem::path& folder, const Plan& plan) {
  using infer::MarkovEstimator;
  Rng rng(plan.seed, 500, Purpose::simulation);
  const Edges edges = random_graph(10, 0.25, 4, rng);
  const Truth truth(10, plan.quick ? 4 : 20, edges, rng);
  const Population population(truth, 100'000, rng);
  const auto noisy = laplace_tables(truth, population, 0.5, rng);
  std::vector<Learnt> learnt;
  learnt.push_back(
      learn(exact_tables(truth, population), MarkovEstimator::naive, {.ridge = 5e-7, .tolerance = 1e-6}));
  learnt.push_back(learn(noisy, MarkovEstimator::naive, {.ridge = 1e-3, .tolerance = 1e-6}));
  learnt.push_back(learn(noisy, MarkovEstimator::em));
  learnt.push_back(learn(noisy, MarkovEstimator::na_map));
  std::ofstream out(folder / "cgm17-fig3a.csv");
  out << "truth,without_privacy,naive,cgm,na_map\n";
  for (std::size_t k = 0; k < truth.marginals.size(); ++k) {
    out << truth.marginals[k];
    for (const Learnt& one : learnt) out << ',' << one.marginals[k];
    out << '\n';
  }
}

}  // namespace postern::cgm17
