#include "markov/posterior/identifiable.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace postern::infer::markov {
namespace {

/// One contrast of an effect: variables and which contrast of each, from 1; variables increase.
using Contrasts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The j-th of `size` orthonormal functions of a level: 0 is constant, the others compare a level with those
/// before it.
double helmert(std::uint32_t j, std::uint32_t level, std::uint32_t size) {
  if (j == 0) return 1 / std::sqrt(static_cast<double>(size));
  const double scale = 1 / std::sqrt(static_cast<double>(j) * (j + 1));
  if (level < j) return scale;
  return level == j ? -static_cast<double>(j) * scale : 0.0;
}

std::vector<std::uint32_t> levels_of(std::size_t cell, const graph::Variables& clique,
                                     const graph::Sizes& sizes) {
  std::vector<std::uint32_t> out(clique.size());
  for (std::size_t i = clique.size(); i-- > 0; cell /= sizes[clique[i]])
    out[i] = static_cast<std::uint32_t>(cell % sizes[clique[i]]);
  return out;
}

Contrasts contrasts_of(const std::vector<std::uint32_t>& which, const graph::Variables& clique) {
  Contrasts out;
  for (std::size_t i = 0; i < clique.size(); ++i) {
    if (which[i] > 0) out.emplace_back(clique[i], which[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

IdentifiableBasis::IdentifiableBasis(const graph::LogLinear& model) : dimension_(model.dimension()) {
  const graph::Sizes& sizes = model.sizes();
  std::map<Contrasts, std::size_t> numbers;
  std::vector<double> shares;  // of a column: the sum of 1 / cells of its cliques, up to a factor
  for (std::size_t f = 0; f < model.cliques().size(); ++f) {
    Block& block = blocks_.emplace_back();
    block.offset = model.offset(f);
    block.cells = model.offset(f + 1) - block.offset;
    for (std::size_t c = 1; c < block.cells; ++c) {
      const Contrasts own = contrasts_of(levels_of(c, model.cliques()[f], sizes), model.cliques()[f]);
      const auto [place, fresh] = numbers.emplace(own, rank_);
      if (fresh) {
        ++rank_;
        shares.push_back(0);
      }
      block.columns.push_back(place->second);
      shares[place->second] += 1 / static_cast<double>(block.cells);
    }
  }
  for (std::size_t f = 0; f < blocks_.size(); ++f) {
    Block& block = blocks_[f];
    const graph::Variables& clique = model.cliques()[f];
    block.entries.resize(block.cells * block.columns.size());
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t c = 0; c < block.cells; ++c) all.push_back(levels_of(c, clique, sizes));
    for (std::size_t c = 0; c < block.cells; ++c) {
      for (std::size_t j = 0; j < block.columns.size(); ++j) {
        double entry = 1 / std::sqrt(static_cast<double>(block.cells) * shares[block.columns[j]]);
        for (std::size_t i = 0; i < clique.size(); ++i)
          entry *= helmert(all[j + 1][i], all[c][i], sizes[clique[i]]);
        block.entries[c * block.columns.size() + j] = entry;
      }
    }
  }
}

void IdentifiableBasis::expand(std::span<const double> t, std::span<double> theta) const {
  for (const Block& block : blocks_) {
    const double* row = block.entries.data();
    for (std::size_t c = 0; c < block.cells; ++c, row += block.columns.size()) {
      double sum = 0;
      for (std::size_t j = 0; j < block.columns.size(); ++j) sum += row[j] * t[block.columns[j]];
      theta[block.offset + c] = sum;
    }
  }
}

void IdentifiableBasis::reduce(std::span<const double> v, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Block& block : blocks_) {
    const double* row = block.entries.data();
    for (std::size_t c = 0; c < block.cells; ++c, row += block.columns.size()) {
      const double f = v[block.offset + c];
      for (std::size_t j = 0; j < block.columns.size(); ++j) out[block.columns[j]] += f * row[j];
    }
  }
}

double identifiable_rank(const graph::LogLinear& model) {
  std::set<graph::Variables> effects;
  double rank = 0;
  for (const graph::Variables& clique : model.cliques()) {
    const graph::Variables increasing = graph::sorted(clique);
    for (std::size_t subset = 1; subset < (std::size_t{1} << increasing.size()); ++subset) {
      graph::Variables variables;
      double contrasts = 1;
      for (std::size_t i = 0; i < increasing.size(); ++i) {
        if ((subset >> i & 1) == 0) continue;
        variables.push_back(increasing[i]);
        contrasts *= static_cast<double>(model.sizes()[increasing[i]]) - 1;
      }
      if (effects.insert(std::move(variables)).second) rank += contrasts;
    }
  }
  return rank;
}

}  // namespace postern::infer::markov
