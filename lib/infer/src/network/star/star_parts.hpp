#pragma once

#include <mutex>
#include <vector>

#include "postern/infer/network/star_posterior.hpp"

#include "star_tree.hpp"
#include "star_view.hpp"

namespace postern::infer {

/// What stands behind a StarPosterior. What only some callers need is made when it is first asked for.
struct StarPosterior::Parts {
  Parts(const NetworkProblem& problem, std::size_t memory_limit, int threads);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  NetworkProblem problem;
  StarView star;  ///< of our own copy
  int threads;
  std::size_t memory_limit;
  StarTree tree;
  std::vector<std::size_t> first_cell;  ///< of each family, and the number of all cells

  struct Moments {
    double mean = 0;
    double sd = 0;
  };
  [[nodiscard]] const std::vector<Moments>& moments() const;
  /// log E[theta | N] of a leaf's cell in a row, for N in the window of the class's law. Empty for a row that
  /// nobody saw.
  [[nodiscard]] std::span<const double> log_share(std::size_t leaf, std::size_t class_index,
                                                  std::size_t level) const;

 private:
  void sum_shares() const;
  void sum_row(std::size_t leaf, std::size_t class_index) const;
  [[nodiscard]] std::size_t cell_of(std::size_t leaf, std::size_t class_index, std::size_t level) const;

  mutable std::once_flag made_;
  mutable std::vector<Moments> moments_;
  mutable std::vector<std::vector<double>> log_shares_;  ///< by cell
};

}  // namespace postern::infer
