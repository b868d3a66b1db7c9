#include "markov/consistency.hpp"

#include <algorithm>
#include <bit>

#include "postern/infer/markov/consistent.hpp"
#include "postern/infer/markov/estimate.hpp"

#include "markov/measurements.hpp"

namespace postern::infer {
namespace markov {

Consistency::Consistency(const graph::LogLinear& model, std::vector<double> variances)
    : model_(model), variances_(std::move(variances)), parts_(model.cliques().size()) {
  for (std::size_t f = 0; f < parts_.size(); ++f) add_clique(f);
}

std::size_t Consistency::find_effect(const graph::Variables& variables) {
  const auto found = std::ranges::find(effects_, variables, &Effect::variables);
  if (found != effects_.end()) return static_cast<std::size_t>(found - effects_.begin());
  const auto cells = static_cast<std::size_t>(graph::cells_of(variables, model_.sizes()));
  effects_.push_back({variables, cells, size_});
  size_ += cells;
  return effects_.size() - 1;
}

void Consistency::add_clique(std::size_t f) {
  const graph::Variables& clique = model_.cliques()[f];
  const graph::Variables increasing = graph::sorted(clique);
  std::vector<unsigned> subsets(std::size_t{1} << increasing.size());
  for (unsigned s = 0; s < subsets.size(); ++s) subsets[s] = s;
  std::ranges::stable_sort(subsets, {}, [](unsigned s) { return std::popcount(s); });
  const double cells = graph::cells_of(clique, model_.sizes());
  for (std::size_t k = 0; k < subsets.size(); ++k) {
    graph::Variables variables;
    for (std::size_t i = 0; i < increasing.size(); ++i) {
      if ((subsets[k] >> i & 1U) != 0) variables.push_back(increasing[i]);
    }
    Part part;
    part.effect = find_effect(variables);
    part.spread = cells / graph::cells_of(variables, model_.sizes());
    part.cells = graph::Strided(clique, variables, model_.sizes());
    for (std::size_t j = 0; j < k; ++j) {
      if ((subsets[j] & subsets[k]) != subsets[j]) continue;
      part.within.push_back(j);
      part.from.emplace_back(variables, effects_[parts_[f][j].effect].variables, model_.sizes());
    }
    parts_[f].push_back(std::move(part));
  }
}

void Consistency::project(std::span<double> cells, std::optional<double> total) const {
  std::vector<double> sums(size_);  // of effects over precision
  std::vector<double> weights(effects_.size());
  for (std::size_t f = 0; f < parts_.size(); ++f) {
    const double* table = cells.data() + model_.offset(f);
    std::vector<std::vector<double>> own;  // this clique's effects, as means
    for (const Part& part : parts_[f]) {
      std::vector<double>& effect = own.emplace_back(effects_[part.effect].cells);
      part.cells.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
        for (std::size_t i = 0; i < count; ++i) effect[other + i * step] += table[first + i] / part.spread;
      });
      for (std::size_t j = 0; j < part.within.size(); ++j) {
        const std::vector<double>& lower = own[part.within[j]];
        part.from[j].walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
          for (std::size_t i = 0; i < count; ++i) effect[first + i] -= lower[other + i * step];
        });
      }
      const std::size_t offset = effects_[part.effect].offset;
      for (std::size_t i = 0; i < effect.size(); ++i) sums[offset + i] += effect[i] / variances_[f];
      weights[part.effect] += 1 / (part.spread * variances_[f]);
    }
  }
  for (std::size_t e = 0; e < effects_.size(); ++e) {
    for (std::size_t i = 0; i < effects_[e].cells; ++i) sums[effects_[e].offset + i] /= weights[e];
    if (total && effects_[e].variables.empty()) sums[effects_[e].offset] = *total;
  }
  for (std::size_t f = 0; f < parts_.size(); ++f) {
    double* table = cells.data() + model_.offset(f);
    std::fill(table, cells.data() + model_.offset(f + 1), 0.0);
    for (const Part& part : parts_[f]) {
      const double* effect = sums.data() + effects_[part.effect].offset;
      part.cells.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
        for (std::size_t i = 0; i < count; ++i) table[first + i] += effect[other + i * step] / part.spread;
      });
    }
  }
}

}  // namespace markov

ConsistentTables consistent_tables(const MarkovProblem& problem) {
  MarkovProblem plain(problem);
  plain.impossible.clear();
  const markov::Measurements data(plain, {});
  markov::CellAverages average = markov::cell_averages(data);
  std::vector<double> variances;
  for (std::size_t f = 0; f < data.model->cliques().size(); ++f)
    variances.push_back(average.variance[data.model->offset(f)]);
  markov::Consistency(*data.model, std::move(variances)).project(average.y, data.total);
  ConsistentTables out{data.total, data.model->cliques(), {}};
  for (std::size_t f = 0; f < out.cliques.size(); ++f) {
    out.tables.emplace_back(average.y.begin() + static_cast<std::ptrdiff_t>(data.model->offset(f)),
                            average.y.begin() + static_cast<std::ptrdiff_t>(data.model->offset(f + 1)));
  }
  return out;
}

}  // namespace postern::infer
