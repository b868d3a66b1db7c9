#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"

#include "kinds/number/exact/set_likelihood.hpp"
#include "line_density.hpp"
#include "theta_line.hpp"

namespace postern::infer {

/// theta on a line, given all record sets: their log likelihoods add up.
class ThetaPosterior {
 public:
  ThetaPosterior(std::vector<NumberProblem> problems, int threads);

  [[nodiscard]] const ThetaLine& line() const { return line_; }
  [[nodiscard]] const LineDensity& density() const { return *density_; }
  [[nodiscard]] const SetLikelihood& set(std::size_t at) const { return *sets_[at]; }
  [[nodiscard]] double log_evidence() const;
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }

 private:
  [[nodiscard]] double log_density(double z, AccuracyGoal goal) const;

  std::vector<std::unique_ptr<SetLikelihood>> sets_;
  ThetaLine line_;
  std::optional<LineDensity> density_;
  double mean_ = 0;
  double sd_ = 0;
};

}  // namespace postern::infer
