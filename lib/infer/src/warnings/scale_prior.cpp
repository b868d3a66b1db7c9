#include "warnings/scale_prior.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "postern/core/importance.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

constexpr double kMuch = 0.75;       // standard deviations
constexpr double kUnreliable = 0.7;  // Pareto k
constexpr double kErrors = 2;

/// How far the mean of one quantity moves, in its standard deviations, less what chance may do.
double sure_move(const Posterior& posterior, std::size_t quantity, const std::vector<double>& weight) {
  const auto draws = static_cast<double>(weight.size());
  const auto each = [&](const auto& use) {
    std::size_t at = 0;
    for (const std::vector<double>& chain : posterior.draws) {
      for (std::size_t i = 0; i < posterior.iterations; ++i)
        use(chain[quantity * posterior.iterations + i], weight[at++]);
    }
  };
  double mean = 0;
  double moved = 0;
  each([&](double x, double w) {
    mean += x / draws;
    moved += x * w;
  });
  double square = 0;
  double error = 0;
  each([&](double x, double w) {
    square += (x - mean) * (x - mean) / draws;
    error += (w - 1 / draws) * (w - 1 / draws) * (x - moved) * (x - moved);
  });
  if (!(square > 0)) return 0;
  return (std::abs(moved - mean) - kErrors * std::sqrt(error)) / std::sqrt(square);
}

std::string factor_text(double times) {
  if (times == 2) return "twice";
  return times == 0.5 ? "half" : short_text(times) + " times";
}

}  // namespace

std::vector<ScaleRatios> half_and_twice(const ChainRun& run, std::size_t half, std::size_t twice,
                                        std::size_t draws) {
  std::vector<ScaleRatios> out{{0.5, {}}, {2, {}}};
  for (ScaleRatios& one : out) {
    const std::size_t place = one.times < 1 ? half : twice;
    for (const std::vector<double>& chain : run.draws) {
      const auto first = chain.begin() + static_cast<std::ptrdiff_t>(place * draws);
      one.values.insert(one.values.end(), first, first + static_cast<std::ptrdiff_t>(draws));
    }
  }
  return out;
}

std::optional<Warning> scale_prior_warning(const Posterior& posterior, std::span<const ScaleRatios> others) {
  double most = kMuch;
  std::optional<Warning> out;
  for (const ScaleRatios& other : others) {
    const ImportanceWeights weights = smoothed_weights(other.values);
    if (weights.pareto_k >= kUnreliable) continue;
    for (std::size_t q = 0; q < posterior.names.size(); ++q) {
      const double move = sure_move(posterior, q, weights.weight);
      if (move <= most) continue;
      most = move;
      out = Warning{"prior-decides",
                    "the mean of '" + posterior.labels[q] + "' would move by " + short_text(move) +
                        " of its standard deviation or more if the prior expected scales " +
                        factor_text(other.times) +
                        " as large: the release says little of it, and the prior of the scale decides. "
                        "Compare the answers of --sensitivity; bounds nearer to the data or a larger budget "
                        "would tell more"};
    }
  }
  return out;
}

}  // namespace postern::infer
