#pragma once

#include <memory>
#include <string>
#include <vector>

#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"

namespace postern::model {

/// Gathers vectors that are made up one by one. With scales x counts in half ranges from their middle.
class VectorGatherer {
 public:
  VectorGatherer(const std::vector<std::string>& columns, const Schema& schema,
                 std::vector<RegressionScale> scales = {});
  void add(const std::vector<double>& x);
  /// n of them by a normal law.
  void draw(const VectorTheta& theta, std::int64_t n, Rng& rng);
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> with_truth(std::vector<double> theta) &&;

 private:
  std::vector<NumberLevels> numbers_;
  std::vector<RegressionScale> scales_;
  VectorSums sums_;
  std::vector<std::uint32_t> levels_;
  std::int64_t outside_ = 0;
};

}  // namespace postern::model
