#include "noise_aware.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::zhang16 {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 28;

/// Variable 0 is the class, variable i + 1 feature i.
infer::NetworkProblem problem(const Tables& released, std::size_t records, double rate,
                              const Priors& priors) {
  const release::NoiseLaw law = release::DiscreteLaplace(rate);
  const auto seen = [&](double y) { return std::vector<infer::NoisyValue>{{y, law}}; };
  infer::NetworkProblem out;
  out.sizes.assign(kFeatures + 1, 2);
  out.families.push_back(
      {{0}, {priors.label, priors.label}, {seen(released.label[0]), seen(released.label[1])}});
  for (std::uint32_t i = 0; i < kFeatures; ++i) {
    const auto& rows = released.feature[i];
    out.families.push_back({{0, i + 1},
                            std::vector<double>(4, priors.feature),
                            {seen(rows[0][0]), seen(rows[0][1]), seen(rows[1][0]), seen(rows[1][1])}});
  }
  out.total = infer::KnownTotal{static_cast<std::int64_t>(records)};
  return out;
}

}  // namespace

Prediction noise_aware_prediction(const Tables& released, std::size_t records, double rate,
                                  const Priors& priors, std::span<const Record> test) {
  const infer::StarPosterior posterior(problem(released, records, rate, priors), kMemory, 1);
  Prediction out;
  std::array<std::int32_t, kFeatures + 1> levels{};
  for (const Record& record : test) {
    levels[0] = record.label;
    for (std::size_t i = 0; i < kFeatures; ++i)
      levels[i + 1] = static_cast<std::int32_t>(record.features >> i & 1U);
    const std::vector<double> joint = posterior.log_joint(levels);
    out.accuracy += (joint[1] >= joint[0]) == (record.label == 1) ? 1 : 0;
    out.log_scores.joint += joint[record.label];
    out.log_scores.label += joint[record.label] - log_add_exp(joint[0], joint[1]);
  }
  out.accuracy /= static_cast<double>(test.size());
  out.log_scores.joint /= static_cast<double>(test.size());
  out.log_scores.label /= static_cast<double>(test.size());
  return out;
}

}  // namespace postern::zhang16
