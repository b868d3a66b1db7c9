#include <algorithm>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/measurement.hpp"

namespace postern::model {
namespace {

/// What a coordinate that changes by one costs: lambda under pure DP, 1/(2 sigma^2) under zCDP. Of a choice,
/// its scale.
Rational weight_of(const Block& block, Currency currency) {
  const Noise& noise = block.noise;
  const bool choice = block.statistic.kind().is_choice();
  if (choice != (noise.kind == NoiseKind::exponential))
    throw Error(ErrorCode::bad_value, {"scores are chosen by, and only by, the exponential mechanism"});
  if (choice) {
    if (sgn(noise.parameter) <= 0) throw Error(ErrorCode::bad_value, {"a scale must be positive"});
    return noise.parameter;
  }
  const bool laplace = currency == Currency::pure;
  if (noise.kind != (laplace ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian)) {
    throw Error(ErrorCode::currency_mismatch,
                {"discrete Laplace noise is paid in epsilon and discrete Gaussian noise in rho"});
  }
  if (sgn(noise.parameter) <= 0) throw Error(ErrorCode::bad_value, {"a noise parameter must be positive"});
  return laplace ? noise.parameter : Rational(1 / (2 * noise.parameter));
}

struct Group {
  const CostRule* rule = nullptr;
  std::vector<WeighedStatistic> statistics;
};

/// The statistics by the rule that they are paid by, in the order in which rules appear.
std::vector<Group> grouped(const Measurement& measurement, Currency currency) {
  std::vector<Group> groups;
  for (const Block& block : measurement.blocks) {
    const CostRule* rule = &block.statistic.kind().cost_rule();
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.rule == rule; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{rule, {}});
    group->statistics.push_back({&block.statistic, weight_of(block, currency)});
  }
  return groups;
}

}  // namespace

std::string_view to_text(NoiseKind kind) {
  if (kind == NoiseKind::exponential) return "exponential";
  return kind == NoiseKind::discrete_laplace ? "discrete-laplace" : "discrete-gaussian";
}

Rational cost(const Measurement& measurement, const Schema& schema, const PrivacyPolicy& policy) {
  Rational worst = 0;
  for (const Group& group : grouped(measurement, policy.currency))
    worst += group.rule->worst(group.statistics, schema, policy);
  // All k records of a unit may be alike: |D| = k, so the loss is k times (pure) or k^2 times (zCDP) that of
  // one.
  const Rational k = records_per_unit(policy.unit);
  return policy.currency == Currency::pure ? Rational(worst * k) : Rational(worst * k * k);
}

std::string_view cost_method(const Measurement& measurement, const Schema& schema,
                             const PrivacyPolicy& policy) {
  std::string_view worst;
  for (const Group& group : grouped(measurement, policy.currency)) {
    const std::string_view method = group.rule->method(group.statistics, schema, policy);
    if (worst.empty() || method == "bound") worst = method;
  }
  return worst;
}

}  // namespace postern::model
