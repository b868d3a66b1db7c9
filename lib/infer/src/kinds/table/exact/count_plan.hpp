#pragma once

#include <vector>

#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"

#include "counts/cell.hpp"
#include "counts/message.hpp"
#include "counts/tilt.hpp"
#include "counts/total_weight.hpp"

namespace postern::infer {

/// Everything that is decided before a tree is built: tilt, windows, care, and what it will need.
struct CountPlan {
  /// @pre the problem has passed check_problem. `nats`: what is cut away is below e^-nats of the posterior.
  CountPlan(const CountProblem& problem, double nats);

  std::vector<Cell> cells;
  TotalWeight total;
  TiltPlan tilts;
  std::vector<Window> windows;  ///< one a cell
  Care care = Care::of_largest;
  std::vector<Cut> cuts;  ///< what messages may drop at either end

  [[nodiscard]] CountForecast forecast() const;

 private:
  [[nodiscard]] Window window_of(const Cell& cell, double nats) const;
};

/// Refuses sizes that do not match, alpha <= 0, negative totals, values that are not finite.
void check_problem(const CountProblem& problem);

/// "1.2 GiB"
[[nodiscard]] std::string human_bytes(double bytes);

}  // namespace postern::infer
