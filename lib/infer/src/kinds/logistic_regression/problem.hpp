#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"
#include "postern/model/kinds/logistic_regression.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A noisy gradient: sum over records of (y - logistic(theta . w)) w, seen through noise of this law. Columns
/// are scaled to -1..1, and so are sums.
struct NoisyGradient {
  std::vector<double> theta;
  std::vector<double> z;
  double scale = 0;     ///< of Laplace noise; 0 where it is normal
  double variance = 0;  ///< of normal noise
  bool rounded = true;  ///< every record's terms, toward zero, to whole 1/1024
};

/// A record that is known: a row of public data.
struct LabelledRow {
  std::vector<double> w;
  bool y = false;
};

/// Coefficients ~ Normal(0, prior_sd^2); n records with features from an assumed law; noisy gradients of
/// their log likelihood.
struct LogisticProblem {
  std::size_t size = 0;  ///< coefficients
  double prior_sd = 1;
  std::vector<std::vector<double>> cloud;  ///< w of records that stand for the features' law, equally likely
  bool sampled = false;  ///< the cloud is a sample of that law, and as many records leave an error
  std::vector<NoisyGradient> gradients;
  std::variant<KnownTotal, LatentTotal> total;
  std::vector<NoisyValue> counts;  ///< of a latent n
  std::vector<LabelledRow> rows;   ///< public ones

  /// By how much the cloud being a sample adds to the sampling variance of means given the features: n /
  /// rows.
  [[nodiscard]] double cloud_error() const;
  /// n, or the best guess at it.
  [[nodiscard]] double about() const;
  /// log P(noisy counts | n).
  [[nodiscard]] double log_total(double n) const;
};

/// Records that stand for the law that the study assumes of its features: public ones, or a lattice and its
/// mirror image.
[[nodiscard]] std::vector<std::vector<double>> covariate_cloud(const model::LogisticRegression& model,
                                                               const model::Schema& schema);

/// What the releases of one record set say.
[[nodiscard]] LogisticProblem make_logistic_problem(const release::RecordSet& releases,
                                                    const InferOptions& options);

}  // namespace postern::infer
