#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A simple graph on variables 0..size-1, one bit a pair.
class UndirectedGraph {
 public:
  UndirectedGraph() = default;
  explicit UndirectedGraph(std::size_t size);
  [[nodiscard]] std::size_t size() const { return size_; }
  void connect(std::uint32_t a, std::uint32_t b);              ///< a variable and itself: nothing
  void connect_all(std::span<const std::uint32_t> variables);  ///< with one another
  [[nodiscard]] bool connected(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] Variables neighbours(std::uint32_t v) const;  ///< increasing
  /// The neighbours of v as bits, 64 a word.
  [[nodiscard]] std::span<const std::uint64_t> row(std::uint32_t v) const;
  /// For each variable the number of its connected component, numbered from 0 by their least variables.
  [[nodiscard]] std::vector<std::uint32_t> components() const;

 private:
  std::size_t size_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace postern::graph
