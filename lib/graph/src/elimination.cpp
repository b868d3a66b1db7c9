#include "postern/graph/elimination.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "postern/core/rng.hpp"

namespace postern::graph {
namespace {

/// How much a variable's elimination would cost; the least is next.
struct Score {
  double first = 0;
  double second = 0;
  std::uint64_t third = 0;
  auto operator<=>(const Score&) const = default;
};

/// What is left of a graph in the course of its elimination.
class Remaining {
 public:
  Remaining(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes, Greedy greedy, Rng* ties)
      : sizes_(sizes), greedy_(greedy), ties_(ties), words_((graph.size() + 63) / 64) {
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
      const auto row = graph.row(v);
      bits_.insert(bits_.end(), row.begin(), row.end());
      neighbours_.push_back(graph.neighbours(v));
    }
    left_.assign(graph.size(), true);
    scores_.resize(graph.size());
    stale_.assign(graph.size(), true);
  }

  [[nodiscard]] std::uint32_t next() {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t best = none;
    for (std::uint32_t v = 0; v < left_.size(); ++v) {
      if (left_[v] && !stale_[v] && (best == none || scores_[v] < scores_[best])) best = v;
    }
    // What cannot be the best any more need not be known exactly.
    for (std::uint32_t v = 0; v < left_.size(); ++v) {
      if (!left_[v] || !stale_[v]) continue;
      const double most = best == none ? std::numeric_limits<double>::infinity() : scores_[best].first;
      scores_[v] = score(v, most);
      stale_[v] = scores_[v].first > most;
      if (!stale_[v] && (best == none || scores_[v] < scores_[best])) best = v;
    }
    return best;
  }

  /// Takes v out and connects its neighbours; returns the clique that they were with it.
  [[nodiscard]] Variables take(std::uint32_t v) {
    Variables around = neighbours_[v];
    for (const std::uint32_t u : around) {
      std::erase(neighbours_[u], v);
      row(u)[v / 64] &= ~(std::uint64_t{1} << (v % 64));
      touch(u);
    }
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = i + 1; j < around.size(); ++j) join(around[i], around[j]);
    }
    left_[v] = false;
    around.insert(std::ranges::upper_bound(around, v), v);
    return around;
  }

 private:
  [[nodiscard]] std::uint64_t* row(std::uint32_t v) { return bits_.data() + v * words_; }
  [[nodiscard]] bool adjacent(std::uint32_t a, std::uint32_t b) {
    return (row(a)[b / 64] >> (b % 64) & 1) != 0;
  }

  /// A score depends on a variable's neighbours and the edges among them.
  void touch(std::uint32_t v) { stale_[v] = true; }

  void join(std::uint32_t a, std::uint32_t b) {
    if (adjacent(a, b)) return;
    row(a)[b / 64] |= std::uint64_t{1} << (b % 64);
    row(b)[a / 64] |= std::uint64_t{1} << (a % 64);
    neighbours_[a].insert(std::ranges::upper_bound(neighbours_[a], b), b);
    neighbours_[b].insert(std::ranges::upper_bound(neighbours_[b], a), a);
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t both = row(a)[w] & row(b)[w]; both != 0; both &= both - 1)
        touch(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(both)));
    }
  }

  /// Edges that v's elimination adds, each counted from both ends; or more than `most` of them.
  [[nodiscard]] double fill(std::uint32_t v, double most) {
    std::size_t missing = 0;
    for (const std::uint32_t u : neighbours_[v]) {
      for (std::size_t w = 0; w < words_; ++w)
        missing += static_cast<std::size_t>(std::popcount(row(v)[w] & ~row(u)[w]));
      --missing;  // u itself
      if (static_cast<double>(missing) > most) break;
    }
    return static_cast<double>(missing);
  }

  [[nodiscard]] double weighted_fill(std::uint32_t v, double most) {
    double weight = 0;
    for (const std::uint32_t u : neighbours_[v]) {
      double here = -static_cast<double>(sizes_[u]);  // u itself
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t lacks = row(v)[w] & ~row(u)[w]; lacks != 0; lacks &= lacks - 1)
          here += sizes_[64 * w + static_cast<std::size_t>(std::countr_zero(lacks))];
      }
      weight += here * sizes_[u];
      if (weight > most) break;
    }
    return weight;
  }

  [[nodiscard]] double cells(std::uint32_t v) const { return cells_of(neighbours_[v], sizes_) * sizes_[v]; }

  [[nodiscard]] double cost(std::uint32_t v, double most) {
    switch (greedy_) {
      case Greedy::min_fill:
        return fill(v, most);
      case Greedy::min_weighted_fill:
        return weighted_fill(v, most);
      case Greedy::min_cells:
        return cells(v);
      case Greedy::min_degree:
        return static_cast<double>(neighbours_[v].size());
    }
    return 0;
  }

  /// Exact unless its first part is more than `most`.
  [[nodiscard]] Score score(std::uint32_t v, double most) {
    const double first = cost(v, most);
    if (first > most) return {first, 0, v};
    return {first, ties_ == nullptr ? cells(v) : static_cast<double>((*ties_)() >> 32), v};
  }

  std::span<const std::uint32_t> sizes_;
  Greedy greedy_;
  Rng* ties_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<Variables> neighbours_;
  std::vector<bool> left_;
  std::vector<bool> stale_;
  std::vector<Score> scores_;
};

/// Keeps the maximal ones of the cliques of all variables, in the order of elimination, and links them. A
/// clique joins that of the variable which goes next of its others; if the two differ in the first variable
/// alone, the second lies within the first and is no clique of its own.
void keep_maximal(std::vector<Variables> all, Elimination& out) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> turn(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) turn[out.order[i]] = i;
  std::vector<std::size_t> next(all.size(), none);
  std::vector<std::size_t> place(all.size(), none);
  std::vector<std::size_t> count;
  for (const Variables& clique : all) count.push_back(clique.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::uint32_t u : all[i]) {
      if (turn[u] != i) next[i] = std::min(next[i], turn[u]);
    }
    if (place[i] == none) {
      place[i] = out.cliques.size();
      out.cliques.push_back(std::move(all[i]));
    }
    if (next[i] != none && count[i] == count[next[i]] + 1 && place[next[i]] == none)
      place[next[i]] = place[i];
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (next[i] != none && place[i] != place[next[i]]) out.links.push_back({place[i], place[next[i]]});
  }
}

Elimination run(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes, Greedy greedy,
                Rng* ties) {
  Remaining left(graph, sizes, greedy, ties);
  Elimination out;
  std::vector<Variables> cliques;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    out.order.push_back(left.next());
    cliques.push_back(left.take(out.order.back()));
  }
  keep_maximal(std::move(cliques), out);
  if (out.cliques.empty()) out.cliques.emplace_back();
  for (const Variables& clique : out.cliques) out.cells += cells_of(clique, sizes);
  return out;
}

}  // namespace

std::string_view greedy_name(Greedy greedy) {
  switch (greedy) {
    case Greedy::min_fill:
      return "min-fill";
    case Greedy::min_weighted_fill:
      return "min-weighted-fill";
    case Greedy::min_cells:
      return "min-cells";
    case Greedy::min_degree:
      return "min-degree";
  }
  return "";
}

Elimination eliminate(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes, Greedy greedy) {
  return run(graph, sizes, greedy, nullptr);
}

Elimination cheapest_elimination(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes) {
  Elimination best = eliminate(graph, sizes, Greedy::min_fill);
  const auto offer = [&best](Elimination other) {
    if (other.cells < best.cells) best = std::move(other);
  };
  offer(eliminate(graph, sizes, Greedy::min_cells));
  // Where all sizes are one, weights and degrees say the same as fill and cells.
  const bool mixed = std::ranges::adjacent_find(sizes, std::ranges::not_equal_to{}) != sizes.end();
  if (mixed) offer(eliminate(graph, sizes, Greedy::min_weighted_fill));
  if (mixed) offer(eliminate(graph, sizes, Greedy::min_degree));
  // Twenty more orders take longer than a run through fewer cells.
  constexpr double worth_looking = 1e6;
  constexpr std::uint32_t restarts = 20;
  for (std::uint32_t i = 0; i < restarts && best.cells > worth_looking; ++i) {
    Rng ties(i, 0, Purpose::plan);
    offer(run(graph, sizes, Greedy::min_fill, &ties));
  }
  return best;
}

}  // namespace postern::graph
