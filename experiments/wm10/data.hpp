#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
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

/// A data set of table 1.
struct Dataset {
  std::string name;
  Labelled learn;
  Labelled test;
  Labelled known;                          ///< public rows, beside both
  std::vector<std::vector<double>> cloud;  ///< points that stand for the law of x
  bool sampled = false;                    ///< they are a sample of it, and as many leave an error
  double most = 0;                         ///< the largest L1 norm of a point
  double step = 20;                        ///< of the ascent, over n
  double prior_sd = 10;
};

/// SYNTH: 1000 points of [-1/2, 1/2]^4, logistic labels, coefficients of length 10. CM1: 17500 of the sphere
/// in ten dimensions, separable with margin 0.03. CM2: labels flipped with probability 0.2 within 0.1 of the
/// plane (Chaudhuri and Monteleoni 2008). `quick`: a tenth of the CM points.
[[nodiscard]] Dataset make_dataset(const std::string& name, bool quick, Rng& rng);

/// PIMA and ADULT from folder/pima-indians-diabetes.csv and folder/adult.csv: columns scaled to -1..1 by
/// public bounds, and a column of ones. PIMA: 691 records to learn from, all 768 to test, features of the
/// other 77 stand for their law. ADULT: 10,000, 5,000 and 600 others, half of each with an income above 50K.
/// Nothing without the file.
[[nodiscard]] std::optional<Dataset> read_dataset(const std::string& name,
                                                  const std::filesystem::path& folder, bool quick, Rng& rng);

/// Share of the points on whose side of the plane their label is not, in per cent.
[[nodiscard]] double error_rate(const Labelled& points, const std::vector<double>& theta);

}  // namespace postern::wm10
