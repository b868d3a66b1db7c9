#include "postern/graph/undirected.hpp"

#include <bit>

namespace postern::graph {

UndirectedGraph::UndirectedGraph(std::size_t size)
    : size_(size), words_((size + 63) / 64), bits_(size_ * words_) {}

void UndirectedGraph::connect(std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
  bits_[b * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
}

void UndirectedGraph::connect_all(std::span<const std::uint32_t> variables) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (std::size_t j = i + 1; j < variables.size(); ++j) connect(variables[i], variables[j]);
  }
}

bool UndirectedGraph::connected(std::uint32_t a, std::uint32_t b) const {
  return (bits_[a * words_ + b / 64] >> (b % 64) & 1) != 0;
}

Variables UndirectedGraph::neighbours(std::uint32_t v) const {
  Variables out;
  const std::span<const std::uint64_t> words = row(v);
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1)
      out.push_back(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  return out;
}

std::span<const std::uint64_t> UndirectedGraph::row(std::uint32_t v) const {
  return std::span(bits_).subspan(v * words_, words_);
}

std::vector<std::uint32_t> UndirectedGraph::components() const {
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::uint32_t> component(size_, unknown);
  std::uint32_t count = 0;
  for (std::uint32_t start = 0; start < size_; ++start) {
    if (component[start] != unknown) continue;
    component[start] = count;
    Variables open{start};
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      for (const std::uint32_t u : neighbours(v)) {
        if (component[u] != unknown) continue;
        component[u] = count;
        open.push_back(u);
      }
    }
    ++count;
  }
  return component;
}

}  // namespace postern::graph
