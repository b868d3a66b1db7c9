#pragma once

#include <cstddef>

namespace postern::infer {

constexpr std::size_t kLeastSets = 16;
constexpr std::size_t kMostSets = 64;

/// Sets of centres that are drawn where a tree for one of them takes so many products (LearnedTree::work).
[[nodiscard]] std::size_t sets_within(double work);

}  // namespace postern::infer
