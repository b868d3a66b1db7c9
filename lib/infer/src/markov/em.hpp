#pragma once

#include <optional>

#include "markov/law.hpp"

namespace postern::infer::markov {

/// EM of the collective graphical model is block ascent of log p(y | n) - n KL(q_n || p_theta): an entropic
/// proximal-point method towards the margins nearest to the tables, that starts at the uniform law. Because
/// the dual of the E step moves theta, the M step is free. Where it stops is what regularises it.
struct EmOptions {
  double step = 1;               ///< EM steps taken as one
  std::optional<double> radius;  ///< of |theta|: the sum of steps
  bool discrepancy = true;       ///< stop once residuals are as large as noise
  int iterations = 0;
  double tolerance = 0;  ///< of each E step's duality gap
};
[[nodiscard]] EmOptions em_options(const Measurements& data, const MarkovOptions& options);
[[nodiscard]] MarkovFit em(const Measurements& data, const EmOptions& options,
                           const Conversation& conversation);

/// sum |y - n mu| / b of Laplace noise and of squares / sigma^2 of normal noise, divided by their number: 1
/// is what the truth has.
[[nodiscard]] double discrepancy(const Measurements& data, const std::vector<double>& marginals);
/// Whether to stop by the discrepancy: it is 1 or less, or steps hardly lower it any more.
class DiscrepancyRule {
 public:
  /// `radius`: how far theta may have moved by now.
  [[nodiscard]] bool reached(double now, double radius);

 private:
  double last_ = 0;
  double radius_ = 0;
};

/// How far one step of EM may move a parameter.
[[nodiscard]] double step_radius(const Measurements& data);

}  // namespace postern::infer::markov
