#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "postern/infer/number_problem.hpp"

#include "number_density.hpp"
#include "number_set.hpp"
#include "number_theta.hpp"

namespace postern::infer {

/// theta on a line, given all record sets: their log likelihoods add up.
class NumberGrid {
 public:
  NumberGrid(std::vector<NumberProblem> problems, int threads);

  [[nodiscard]] const ThetaLine& line() const { return line_; }
  [[nodiscard]] const LineDensity& density() const { return *density_; }
  [[nodiscard]] const NumberSet& set(std::size_t at) const { return *sets_[at]; }
  [[nodiscard]] double log_evidence() const;
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }

 private:
  [[nodiscard]] double log_density(double z, Known known) const;

  std::vector<std::unique_ptr<NumberSet>> sets_;
  ThetaLine line_;
  std::optional<LineDensity> density_;
  double mean_ = 0;
  double sd_ = 0;
};

}  // namespace postern::infer
