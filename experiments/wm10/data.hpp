#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::wm10 {

/// Labelled points, and the law that the points come from.
struct Labelled {
  std::size_t dimensions = 0;
  std::vector<double> x;  ///< point after point
  std::vector<bool> y;

  [[nodiscard]] std::size_t size() const { return y.size(); }
  [[nodiscard]] const double* at(std::size_t i) const { return x.data() + i * dimensions; }
};

/// A made-up data set of table 1.
struct Dataset {
  std::string name;
  Labelled learn;
  Labelled test;
  Labelled known;                          ///< public rows, beside both
  std::vector<std::vector<double>> cloud;  ///< points that stand for the law of x
  double most = 0;                         ///< the largest L1 norm of a point
  double step = 20;                        ///< of the ascent, over n
  double prior_sd = 10;
};

/// SYNTH: 1000 points of [-1/2, 1/2]^4, logistic labels, coefficients of length 10. CM1: 17500 of the sphere
/// in ten dimensions, separable with margin 0.03. CM2: labels flipped with probability 0.2 within 0.1 of the
/// plane (Chaudhuri and Monteleoni 2008). `quick`: a tenth of the CM points.
[[nodiscard]] Dataset make_dataset(const std::string& name, bool quick, Rng& rng);

/// Share of the points on whose side of the plane their label is not, in per cent.
[[nodiscard]] double error_rate(const Labelled& points, const std::vector<double>& theta);

}  // namespace postern::wm10
