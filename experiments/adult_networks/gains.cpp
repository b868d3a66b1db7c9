#include <cmath>

#include "postern/core/parallel.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network.hpp"
#include "plan.hpp"

namespace postern::adult {
namespace {

constexpr std::size_t kIncome = 2;

struct Losses {
  double joint = 0;
  double income = 0;
};

/// Of the predictive: the mean over the draws of a record's probability.
Losses losses(const Parents& parents, const std::vector<Theta>& draws, std::span<const Record> records) {
  const std::vector<std::size_t> first = offsets(parents);
  Losses out;
  for (const Record& record : records) {
    double seen = 0;
    double either = 0;
    for (std::uint32_t income = 0; income < kSizes[kIncome]; ++income) {
      Record other = record;
      other[kIncome] = income;
      const auto cells = cells_of(parents, first, other);
      double p = 0;
      for (const Theta& theta : draws) {
        double product = 1;
        for (const std::size_t cell : cells) product *= theta[cell];
        p += product;
      }
      either += p;
      if (income == record[kIncome]) seen = p;
    }
    out.joint -= std::log(seen / static_cast<double>(draws.size()));
    out.income -= std::log(seen / either);
  }
  out.joint /= static_cast<double>(records.size());
  out.income /= static_cast<double>(records.size());
  return out;
}

/// The plug-in's predictive is at its means: rows are independent, so the mean of a product is theirs.
Theta plug_in_means(const infer::NetworkProblem& problem) {
  Theta out;
  const auto weights = infer::plug_in(problem);
  for (std::size_t v = 0; v < weights.size(); ++v) {
    for (std::size_t row = 0; row < weights[v].size(); row += problem.sizes[v]) {
      double sum = 0;
      for (std::size_t k = row; k < row + problem.sizes[v]; ++k) sum += weights[v][k];
      for (std::size_t k = row; k < row + problem.sizes[v]; ++k) out.push_back(weights[v][k] / sum);
    }
  }
  return out;
}

Gain summarise(const std::string& network, const std::string& of, double epsilon,
               const std::vector<double>& gains, double plug_in) {
  const auto count = static_cast<double>(gains.size());
  Gain out{network, of, epsilon, gains.size(), 0, 0, plug_in / count};
  for (const double gain : gains) out.gain += gain / count;
  double squares = 0;
  for (const double gain : gains) squares += (gain - out.gain) * (gain - out.gain);
  out.se = std::sqrt(squares / (count - 1) / count);
  return out;
}

}  // namespace

void measure_gains(const Plan& plan, const std::vector<Record>& records,
                   const std::function<void(const Gain&)>& tell) {
  const std::size_t seen = records.size() * 4 / 5;
  const std::vector<Record> released(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(seen));
  const std::span<const Record> held_out = std::span(records).subspan(seen);
  for (const auto& [name, parents] : {std::pair("two-parents", &kTwoParents), std::pair("tree", &kTree)}) {
    for (std::size_t e = 0; e < plan.epsilons.size(); ++e) {
      std::vector<double> joint(plan.noise_draws);
      std::vector<double> income(plan.noise_draws);
      std::vector<Losses> plain(plan.noise_draws);
      parallel_for(plan.noise_draws, plan.threads, [&](std::size_t i) {
        Rng rng(plan.seed, static_cast<std::uint32_t>(e * plan.noise_draws + i), Purpose::simulation);
        const infer::NetworkProblem problem = noisy_tables(*parents, released, plan.epsilons[e], rng);
        infer::DriverOptions options;
        options.threads = 1;
        options.draws = plan.draws;
        options.seed = rng();
        const infer::ChainRun run = infer::draw_network_tables(problem, options, {});
        const Losses aware = losses(*parents, thetas(run, infer::network_quantities(problem)), held_out);
        plain[i] = losses(*parents, {plug_in_means(problem)}, held_out);
        joint[i] = plain[i].joint - aware.joint;
        income[i] = plain[i].income - aware.income;
      });
      Losses sum;
      for (const Losses& one : plain) {
        sum.joint += one.joint;
        sum.income += one.income;
      }
      tell(summarise(name, "joint", plan.epsilons[e], joint, sum.joint));
      tell(summarise(name, "income", plan.epsilons[e], income, sum.income));
    }
  }
}

}  // namespace postern::adult
