#pragma once

#include <span>
#include <vector>

#include "markov/law.hpp"

namespace postern::infer::markov {

/// The dual of one E step, a parameter for each noisy value:
///   min over lambda of  n A(start + lambda) - lambda . y + 1/2 sum ridge lambda^2,  |lambda| <= bound,
/// lambda summed into the cells that its values are of. A value with Laplace noise of scale b has the bound
/// 1/b and no ridge, one with normal noise the ridge sigma^2 and no bound; `step` steps at once multiply the
/// bound and divide the ridge. The margins n mu(start + lambda) are those of the most of
///   log p(y | n) + entropy of n + start . n.
struct BoxProblem {
  std::vector<double> start;  ///< theta
  double step = 1;
};

struct BoxSolution {
  std::vector<double> lambda;  ///< one a value
  double value = 0;            ///< of the dual
  double gap = 0;              ///< of duality, at least 0
  int iterations = 0;
  bool certified = false;  ///< the gap is within the tolerance
};

/// Limited-memory quasi-Newton steps on what is free to move, projected on the bounds, from `lambda` (empty:
/// from 0). The law is at the solution.
[[nodiscard]] BoxSolution solve_box(const Measurements& data, const BoxProblem& problem, Law& law,
                                    double tolerance, int most, std::vector<double> lambda = {});

/// Adds lambda, one a value, to the cells.
void add_to_cells(const Measurements& data, std::span<const double> lambda, std::span<double> theta);

}  // namespace postern::infer::markov
