#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/infer/network/problem.hpp"

#include "network/row_message.hpp"

namespace postern::infer {

/// A network of one root and its children, as rows. The root's levels are the classes.
struct StarView {
  /// Nothing if the network is no star. The problem must outlive the view. @pre check_network_problem passed
  [[nodiscard]] static std::optional<StarView> of(const NetworkProblem& problem);

  const NetworkProblem* problem = nullptr;
  std::uint32_t root = 0;
  std::vector<std::uint32_t> leaves;

  [[nodiscard]] std::size_t classes() const { return problem->sizes[root]; }
  [[nodiscard]] const NetworkFamily& root_family() const { return problem->families[root]; }
  /// The row of a leaf given a class; `leaf` counts leaves.
  [[nodiscard]] CptRow row(std::size_t leaf, std::size_t class_index) const;
  /// n, or its bound.
  [[nodiscard]] std::int64_t most() const;
};

/// Whether anything was released about a row. Otherwise it says nothing about its total: m(N) = 1.
[[nodiscard]] bool is_seen(const CptRow& row);
[[nodiscard]] double sum_of_alpha(const CptRow& row);

}  // namespace postern::infer
