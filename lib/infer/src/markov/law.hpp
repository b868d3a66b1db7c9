#pragma once

#include <span>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/graph/log_linear.hpp"

#include "markov/measurements.hpp"

namespace postern::infer::markov {

/// A law of the model on the way to an estimate: theta, its margins, and how many passes it took.
class Law {
 public:
  Law(const Measurements& data, const Conversation& conversation);
  [[nodiscard]] const std::vector<double>& theta() const { return theta_; }
  [[nodiscard]] const std::vector<double>& marginals() const { return work_.marginals; }
  [[nodiscard]] double log_partition() const { return work_.log_partition; }
  [[nodiscard]] int propagations() const { return propagations_; }
  /// To theta = start + step, at zeros minus infinity. Fails: bad_value if no state is left; interrupted.
  void move(std::span<const double> start, std::span<const double> step);
  void move_to(std::span<const double> theta);
  /// out = Cov[T] v
  void covariance_times(std::span<const double> v, std::span<double> out);
  /// The largest sum of g over the cells of a state that can be. The law is then to be moved to anew.
  [[nodiscard]] double maximum(std::span<const double> g);
  /// What the law is as a result.
  [[nodiscard]] MarkovFit fit() const;

 private:
  const Measurements& data_;
  Conversation conversation_;
  graph::LogLinear::Workspace work_;
  std::vector<double> theta_;
  int propagations_ = 0;
};

}  // namespace postern::infer::markov
