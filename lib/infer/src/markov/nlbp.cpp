#include "markov/nlbp.hpp"

#include <cmath>

#include "markov/em.hpp"
#include "markov/naive.hpp"

namespace postern::infer::markov {
namespace {

/// Margins (of 1) after the E step from theta.
std::vector<double> message_passing(const Measurements& data, const std::vector<double>& theta, Law& law,
                                    int rounds) {
  std::vector<double> margins(law.marginals());
  std::vector<double> pull(theta.size());
  for (int i = 1; i <= rounds; ++i) {
    std::fill(pull.begin(), pull.end(), 0.0);
    for (const Measurements::Value& value : data.values) {
      const double r = value.y - data.total * margins[value.cell];
      pull[value.cell] += value.scale > 0 ? (r > 0 ? 1 : -1) / value.scale : r / value.variance;
    }
    law.move(theta, pull);
    const double a = 2.0 / (i + 2);
    for (std::size_t k = 0; k < margins.size(); ++k) margins[k] += a * (law.marginals()[k] - margins[k]);
  }
  return margins;
}

}  // namespace

MarkovFit nlbp(const Measurements& data, const MarkovOptions& options, const Conversation& conversation) {
  constexpr int rounds = 500;
  constexpr double ridge = 1e-7;
  const EmOptions limits = em_options(data, options);
  const double unit = step_radius(data);
  Law law(data, conversation);
  MarkovFit fit = law.fit();
  double radius = 0;
  int iterations = 0;
  MarkovStop stop = MarkovStop::iterations;
  DiscrepancyRule rule;
  while (iterations < limits.iterations) {
    ++iterations;
    fit = fit_margins(data, law, message_passing(data, fit.theta, law, rounds), ridge, 1e-6, 100);
    radius += unit;
    if (limits.radius && radius >= *limits.radius * (1 - 1e-12)) {
      stop = MarkovStop::radius;
      break;
    }
    if (limits.discrepancy && rule.reached(discrepancy(data, fit.marginals), radius)) {
      stop = MarkovStop::discrepancy;
      break;
    }
  }
  fit.stop = stop;
  fit.certificate.reset();
  fit.objective = discrepancy(data, fit.marginals);
  fit.iterations = iterations;
  fit.propagations = law.propagations();
  return fit;
}

}  // namespace postern::infer::markov
