#include "numbers.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "counts.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kRecordsAtOnce = 64;  ///< records that a worker takes at a time
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Normals of equal weight, one a draw.
struct Mixture {
  std::span<const double> means;
  std::span<const double> deviations;

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double m : means) sum += m;
    return sum / static_cast<double>(means.size());
  }
  [[nodiscard]] double cdf(double x) const {
    double sum = 0;
    for (std::size_t d = 0; d < means.size(); ++d) sum += normal_cdf((x - means[d]) / deviations[d]);
    return sum / static_cast<double>(means.size());
  }
  [[nodiscard]] double density(double x) const {
    double sum = 0;
    for (std::size_t d = 0; d < means.size(); ++d) {
      const double z = (x - means[d]) / deviations[d];
      sum += std::exp(-0.5 * z * z) / deviations[d];
    }
    return sum / (static_cast<double>(means.size()) * std::sqrt(2 * std::numbers::pi));
  }
  /// By Newton's steps inside of a bracket that shrinks.
  [[nodiscard]] double quantile(double p, double start) const {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t d = 0; d < means.size(); ++d) {
      low = std::min(low, means[d] - 9 * deviations[d]);
      high = std::max(high, means[d] + 9 * deviations[d]);
    }
    double x = start;
    for (int i = 0; i < 100; ++i) {
      const double excess = cdf(x) - p;
      if (std::abs(excess) < 1e-7) break;
      (excess > 0 ? high : low) = x;
      const double newton = x - excess / density(x);
      x = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return x;
  }
};

/// Mean and interval of one row; no numbers where there is no prediction.
void answer(NumberPredictions& out, std::size_t row, const Mixture& mixture) {
  const double mean = mixture.mean();
  double variance = 0;
  for (std::size_t d = 0; d < mixture.means.size(); ++d) {
    const double apart = mixture.means[d] - mean;
    variance += apart * apart + mixture.deviations[d] * mixture.deviations[d];
  }
  const double reach = 1.645 * std::sqrt(variance / static_cast<double>(mixture.means.size()));
  out.mean[row] = mean;
  out.low[row] = mixture.quantile(0.05, mean - reach);
  out.high[row] = mixture.quantile(0.95, mean + reach);
}

void answer(NumberPredictions& out, std::size_t row, const CountMixture& mixture) {
  out.mean[row] = mixture.mean();
  out.low[row] = mixture.quantile(0.05);
  out.high[row] = mixture.quantile(0.95);
}

void judge(Predictions& predictions, const std::vector<double>& log_scores) {
  NumberPredictions& out = *predictions.numbers;
  double squares = 0;
  double inside = 0;
  double score = 0;
  for (std::size_t i = 0; i < predictions.rows; ++i) {
    if (std::isnan(out.truth[i]) || std::isnan(out.mean[i])) continue;
    ++predictions.judged;
    squares += (out.truth[i] - out.mean[i]) * (out.truth[i] - out.mean[i]);
    inside += out.truth[i] >= out.low[i] && out.truth[i] <= out.high[i] ? 1 : 0;
    score += log_scores[i];
  }
  if (predictions.judged == 0) return;
  const auto count = static_cast<double>(predictions.judged);
  out.rmse = std::sqrt(squares / count);
  out.coverage = inside / count;
  out.log_score = score / count;
}

}  // namespace

void predict_numbers(Predictions& out, const NumberPredictor& predictor, const Rows& rows, std::size_t target,
                     int threads, const Conversation& conversation) {
  const std::vector<double> none(out.rows, kNone);
  out.numbers = NumberPredictions{none, none, none, none, {}, {}, {}};
  std::vector<double> log_scores = none;
  const StopScope scope(conversation.stop);
  parallel_for((out.rows + kRecordsAtOnce - 1) / kRecordsAtOnce, threads, [&](std::size_t block) {
    conversation.check();
    std::vector<double> means(predictor.draws());
    for (std::size_t i = block * kRecordsAtOnce; i < std::min(out.rows, (block + 1) * kRecordsAtOnce); ++i) {
      const std::int32_t truth = rows.row(i)[target];
      if (truth >= 0) out.numbers->truth[i] = predictor.value(truth);
      if (!predictor.means(rows.row(i), means)) continue;
      if (predictor.counts()) {
        const CountMixture mixture(means);
        answer(*out.numbers, i, mixture);
        if (truth >= 0) log_scores[i] = mixture.log_mass(out.numbers->truth[i]);
        continue;
      }
      const Mixture mixture{means, predictor.deviations()};
      answer(*out.numbers, i, mixture);
      if (truth >= 0) log_scores[i] = std::log(mixture.density(out.numbers->truth[i]));
    }
  });
  std::size_t missing = 0;
  for (const double mean : out.numbers->mean) missing += std::isnan(mean) ? 1 : 0;
  if (missing > 0)
    out.warnings.push_back(
        {"rows-incomplete", "rows that lack a feature, and have no prediction: " + std::to_string(missing)});
  judge(out, log_scores);
}

}  // namespace postern::infer
