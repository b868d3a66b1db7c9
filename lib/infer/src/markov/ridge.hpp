#pragma once

#include <vector>

#include "markov/law.hpp"

namespace postern::infer::markov {

/// min over lambda of  total A(start + lambda) - lambda . y + 1/2 sum ridge lambda^2,  A the log partition
/// function. Its dual is: over margins n of `total` records, the most of  H(n) + start . n - sum (y - n)^2 /
/// (2 ridge). So it is maximum likelihood with a ridge, and one EM step with normal noise of variance
/// `ridge`.
struct RidgeProblem {
  std::vector<double> start;
  std::vector<double> y;      ///< of cells that are measured; of the others no matter what
  std::vector<double> ridge;  ///< > 0
  double total = 0;
};

struct RidgeSolution {
  std::vector<double> lambda;
  double value = 0;
  double gap = 0;  ///< duality gap: sum (ridge lambda - (y - n))^2 / (2 ridge)
  int iterations = 0;
  bool certified = false;  ///< the gap is within the tolerance
};

/// Newton's method with conjugate gradients, from `lambda` (empty: from 0), until the duality gap is at most
/// `tolerance`. The law is at the solution.
[[nodiscard]] RidgeSolution solve_ridge(const Measurements& data, const RidgeProblem& problem, Law& law,
                                        double tolerance, int most, std::vector<double> lambda = {});

}  // namespace postern::infer::markov
