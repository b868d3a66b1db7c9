#include "postern/graph/dag.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "postern/core/error.hpp"

namespace postern::graph {
namespace {

std::string name_of(std::uint32_t v, std::span<const std::string> names) {
  return v < names.size() ? "'" + names[v] + "'" : std::to_string(v);
}

void check_parents(const std::vector<Variables>& parents, std::span<const std::string> names) {
  for (std::uint32_t v = 0; v < parents.size(); ++v) {
    for (const std::uint32_t p : parents[v]) {
      if (p >= parents.size()) {
        throw Error(ErrorCode::bad_value,
                    {"a parent of ", from_study(name_of(v, names)), " is variable ", public_number(p),
                     ", but there are only ", public_number(static_cast<long long>(parents.size()))});
      }
      if (std::ranges::count(parents[v], p) > 1) {
        throw Error(ErrorCode::bad_value, {from_study(name_of(p, names)), " is a parent of ",
                                           from_study(name_of(v, names)), " twice; name it once"});
      }
    }
  }
}

[[noreturn]] void refuse_cycle(const Variables& cycle, std::span<const std::string> names) {
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t i = 0; i < cycle.size() && i < shown; ++i) text += name_of(cycle[i], names) + " -> ";
  if (cycle.size() > shown) text += "... -> ";
  text += name_of(cycle.front(), names);
  throw Error(ErrorCode::bad_value,
              {"the network has a cycle: ", quote(text, 2000), "; remove or turn one of these edges"});
}

}  // namespace

std::optional<Variables> find_cycle(const std::vector<Variables>& parents) {
  enum class Mark : std::uint8_t { unseen, open, done };
  std::vector<Mark> marks(parents.size(), Mark::unseen);
  for (std::uint32_t start = 0; start < parents.size(); ++start) {
    if (marks[start] != Mark::unseen) continue;
    // The path from `start` to ever earlier ancestors, with the next parent to look at.
    Variables path{start};
    std::vector<std::size_t> next{0};
    marks[start] = Mark::open;
    while (!path.empty()) {
      const std::uint32_t v = path.back();
      if (next.back() == parents[v].size()) {
        marks[v] = Mark::done;
        path.pop_back();
        next.pop_back();
        continue;
      }
      const std::uint32_t p = parents[v][next.back()++];
      if (marks[p] == Mark::open) {
        Variables cycle(std::ranges::find(path, p), path.end());
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (marks[p] == Mark::done) continue;
      marks[p] = Mark::open;
      path.push_back(p);
      next.push_back(0);
    }
  }
  return std::nullopt;
}

Dag::Dag(std::vector<Variables> parents, std::span<const std::string> names)
    : parents_(std::move(parents)), children_(parents_.size()) {
  check_parents(parents_, names);
  if (const auto cycle = find_cycle(parents_)) refuse_cycle(*cycle, names);
  std::vector<std::size_t> waiting(size());
  std::priority_queue<std::uint32_t, Variables, std::greater<>> ready;
  for (std::uint32_t v = 0; v < size(); ++v) {
    for (const std::uint32_t p : parents_[v]) children_[p].push_back(v);
    waiting[v] = parents_[v].size();
    if (waiting[v] == 0) ready.push(v);
  }
  while (!ready.empty()) {
    const std::uint32_t v = ready.top();
    ready.pop();
    order_.push_back(v);
    for (const std::uint32_t child : children_[v]) {
      if (--waiting[child] == 0) ready.push(child);
    }
  }
}

Variables Dag::family(std::uint32_t v) const {
  Variables out = parents_[v];
  out.push_back(v);
  return out;
}

std::vector<bool> Dag::ancestral(std::span<const std::uint32_t> some) const {
  std::vector<bool> in(size());
  for (const std::uint32_t v : some) in[v] = true;
  for (std::size_t i = order_.size(); i-- > 0;) {
    if (!in[order_[i]]) continue;
    for (const std::uint32_t p : parents_[order_[i]]) in[p] = true;
  }
  return in;
}

UndirectedGraph Dag::moral() const {
  UndirectedGraph graph(size());
  for (std::uint32_t v = 0; v < size(); ++v) graph.connect_all(family(v));
  return graph;
}

}  // namespace postern::graph
