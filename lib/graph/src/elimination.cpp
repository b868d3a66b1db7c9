#include "postern/graph/elimination.hpp"

#include <algorithm>
#include <bit>
#include <optional>

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
    std::optional<std::uint32_t> best;
    for (std::uint32_t v = 0; v < left_.size(); ++v) {
      if (!left_[v]) continue;
      if (stale_[v]) scores_[v] = score(v);
      stale_[v] = false;
      if (!best || scores_[v] < scores_[*best]) best = v;
    }
    return *best;
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

  [[nodiscard]] double fill(std::uint32_t v) {
    std::size_t missing = 0;
    for (const std::uint32_t u : neighbours_[v]) {
      for (std::size_t w = 0; w < words_; ++w)
        missing += static_cast<std::size_t>(std::popcount(row(v)[w] & ~row(u)[w]));
      --missing;  // u itself
    }
    return static_cast<double>(missing / 2);
  }

  [[nodiscard]] double weighted_fill(std::uint32_t v) {
    double weight = 0;
    const Variables& around = neighbours_[v];
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        if (!adjacent(around[i], around[j]))
          weight += static_cast<double>(sizes_[around[i]]) * sizes_[around[j]];
      }
    }
    return weight;
  }

  [[nodiscard]] Score score(std::uint32_t v) {
    const double cells = cells_of(neighbours_[v], sizes_) * sizes_[v];
    if (ties_ != nullptr) return {fill(v), static_cast<double>((*ties_)() >> 32), v};
    switch (greedy_) {
      case Greedy::min_fill:
        return {fill(v), cells, v};
      case Greedy::min_weighted_fill:
        return {weighted_fill(v), cells, v};
      case Greedy::min_cells:
        return {cells, fill(v), v};
      case Greedy::min_degree:
        return {static_cast<double>(neighbours_[v].size()), cells, v};
    }
    return {};
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

Elimination run(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes, Greedy greedy,
                Rng* ties) {
  Remaining left(graph, sizes, greedy, ties);
  Elimination out;
  std::vector<std::vector<std::size_t>> holders(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const std::uint32_t v = left.next();
    out.order.push_back(v);
    Variables clique = left.take(v);
    // A clique within another lies within an earlier one that holds its own variable.
    if (std::ranges::any_of(holders[v], [&](std::size_t c) { return holds(out.cliques[c], clique); }))
      continue;
    for (const std::uint32_t u : clique) holders[u].push_back(out.cliques.size());
    out.cells += cells_of(clique, sizes);
    out.cliques.push_back(std::move(clique));
  }
  if (out.cliques.empty()) {
    out.cliques.emplace_back();
    out.cells = 1;
  }
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
  Elimination best = eliminate(graph, sizes, kGreedy.front());
  const auto offer = [&best](Elimination other) {
    if (other.cells < best.cells) best = std::move(other);
  };
  for (std::size_t i = 1; i < kGreedy.size(); ++i) offer(eliminate(graph, sizes, kGreedy[i]));
  // Another order costs about as much as this many cells; below that, looking for one does not pay.
  constexpr double worth_looking = 1e5;
  constexpr std::uint32_t restarts = 20;
  for (std::uint32_t i = 0; i < restarts && best.cells > worth_looking; ++i) {
    Rng ties(i, 0, Purpose::plan);
    offer(run(graph, sizes, Greedy::min_fill, &ties));
  }
  return best;
}

}  // namespace postern::graph
