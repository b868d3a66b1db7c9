#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

enum class NoiseKind { discrete_laplace, discrete_gaussian, exponential };
[[nodiscard]] std::string_view to_text(NoiseKind kind);  // "discrete-laplace", "discrete-gaussian", ...

/// Exact noise of every coordinate of a block: P(k) ~ exp(-lambda |k|), or P(k) ~ exp(-k^2 / (2 sigma^2)); or
/// a choice among candidates, P(i) ~ exp(scale score_i), whose index is published and the scores are not.
struct Noise {
  NoiseKind kind = NoiseKind::discrete_laplace;
  Rational parameter;  ///< lambda, sigma^2, or scale
};

struct Block {
  Statistic statistic;
  Noise noise;
  std::size_t size = 0;  ///< number of coordinates
};

/// What is measured and how it is noised. No values: those are in release::Measured.
struct Measurement {
  std::vector<Block> blocks;
};

/// Exact cost: the maximum over neighbours of sum_j lambda_j |D_j| (pure) or sum_j D_j^2 / (2 sigma_j^2)
/// (zCDP); where products are summed and a record may be replaced, a bound on it that is a little larger.
/// Refuses blocks whose noise does not belong to the currency. Proofs beside the source:
/// statistic/measurement.md and statistic/products/cost.md.
[[nodiscard]] Rational cost(const Measurement& measurement, const Schema& schema,
                            const PrivacyPolicy& policy);
/// How `cost` came by its number where there are two ways: "exact", or "bound", which may lie above what any
/// record attains. Empty for measurements whose cost is always exact or as said above.
[[nodiscard]] std::string_view cost_method(const Measurement& measurement, const Schema& schema,
                                           const PrivacyPolicy& policy);

}  // namespace postern::model
