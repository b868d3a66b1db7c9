#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/named_total.hpp"
#include "rows.hpp"

namespace postern::infer {
namespace {

/// The additive recurrence of the root of x^{d+1} = x + 1: even in any number of dimensions.
std::vector<double> lattice_steps(std::size_t dimensions) {
  double root = 2;
  for (int i = 0; i < 64; ++i) root = std::pow(1 + root, 1 / (static_cast<double>(dimensions) + 1));
  std::vector<double> out;
  double step = 1;
  for (std::size_t c = 0; c < dimensions; ++c) out.push_back(step /= root);
  return out;
}

/// The k-th record of a lattice; every second one mirrors the one before it.
void lattice_point(const model::CovariateLaw& law, const std::vector<double>& steps, std::size_t k,
                   std::vector<std::uint32_t>& record) {
  const std::size_t pair = k / 2 + 1;
  for (std::size_t c = 0; c < steps.size(); ++c) {
    double whole = 0;
    const double at = std::modf(0.5 + steps[c] * static_cast<double>(pair), &whole);
    record[c] = law.level(c, k % 2 == 1 ? 1 - at : at);
  }
}

NoisyGradient noisy_gradient(const release::MeasuredBlock& measured, const model::GradientSum& gradient) {
  constexpr double kUnit = model::kGradientSteps;
  NoisyGradient out;
  for (const std::int64_t one : gradient.theta)
    out.theta.push_back(std::ldexp(static_cast<double>(one), -static_cast<int>(model::kThetaBits)));
  for (const Int128 value : measured.values) out.z.push_back(static_cast<double>(value) / kUnit);
  const model::Noise& noise = measured.block.noise;
  if (noise.kind == model::NoiseKind::discrete_laplace) {
    out.scale = 1 / (noise.parameter.get_d() * kUnit);
  } else {
    out.variance = noise.parameter.get_d() / (kUnit * kUnit);
  }
  return out;
}

void take_blocks(LogisticProblem& out, const release::Release& release) {
  for (const release::MeasuredBlock& measured : release.blocks) {
    if (const auto* gradient = measured.block.statistic.as<model::GradientSum>()) {
      out.gradients.push_back(noisy_gradient(measured, *gradient));
    } else if (measured.block.statistic.as<model::RecordCount>() != nullptr) {
      out.counts.push_back(
          {static_cast<double>(measured.values.at(0)), release::noise_law(measured.block.noise)});
    } else {
      throw Error(ErrorCode::release_inconsistent, {"a release of gradients holds something else"});
    }
  }
}

}  // namespace

double LogisticProblem::cloud_error() const {
  return sampled ? about() / static_cast<double>(cloud.size()) : 0;
}

double LogisticProblem::about() const {
  if (const auto* known = std::get_if<KnownTotal>(&total)) return static_cast<double>(known->n);
  double best = 0;
  double weight = 0;
  for (const NoisyValue& value : counts) {
    best += value.y / release::variance(value.law);
    weight += 1 / release::variance(value.law);
  }
  const auto most = static_cast<double>(std::get<LatentTotal>(total).at_most);
  return weight == 0 ? most / 2 : std::clamp(best / weight, 0.0, most);
}

double LogisticProblem::log_total(double n) const {
  double out = 0;
  for (const NoisyValue& value : counts) out += release::log_pmf(value.law, value.y - std::round(n));
  return out;
}

std::vector<std::vector<double>> covariate_cloud(const model::LogisticRegression& model,
                                                 const model::Schema& schema) {
  // A lattice of few dimensions needs few points.
  const std::size_t pairs = 256 * std::min<std::size_t>(4, model.features.size());
  const model::GradientEntries entries(model::gradient_at(model, {}), schema);
  const model::CovariateLaw law = model::covariate_law(model, schema);
  const std::vector<double> steps = lattice_steps(model.features.size());
  std::vector<std::uint32_t> record(model.features.size() + 1, 0);
  std::vector<std::int64_t> w(entries.size());
  std::vector<std::vector<double>> out;
  for (std::size_t k = 0; k < (law.rows() > 0 ? law.rows() : 2 * pairs); ++k) {
    if (law.rows() > 0) {
      std::copy(law.row(k).begin(), law.row(k).end(), record.begin());
    } else {
      lattice_point(law, steps, k, record);
    }
    entries.fill(record, w);
    std::vector<double>& point = out.emplace_back();
    for (const std::int64_t one : w)
      point.push_back(static_cast<double>(one) / static_cast<double>(model::kGradientSteps));
  }
  return out;
}

LogisticProblem make_logistic_problem(const release::RecordSet& releases, const InferOptions& options) {
  const model::Study& study = releases.front()->study;
  const auto& model = study.model.get<model::LogisticRegression>();
  LogisticProblem out;
  out.prior_sd = (options.prior ? options.prior->at(0) : model.prior_sd).get_d();
  if (!(out.prior_sd >= 1e-3 && out.prior_sd <= 1000))
    throw Error(ErrorCode::bad_prior, {"the standard deviation of coefficients must lie in 0.001..1000"});
  out.cloud = covariate_cloud(model, study.schema);
  out.sampled = !model.covariates.rows.empty();
  out.size = out.cloud.front().size();
  for (const release::Release* release : releases) take_blocks(out, *release);
  out.total = total_of(releases);
  if (options.public_rows) out.rows = labelled_rows(*options.public_rows, study);
  return out;
}

}  // namespace postern::infer
