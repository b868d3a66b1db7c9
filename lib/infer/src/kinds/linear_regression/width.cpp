#include "width.hpp"

#include <utility>

#include "postern/infer/regression/chain.hpp"
#include "postern/model/kinds/linear_regression.hpp"

#include "posterior/width.hpp"
#include "problem.hpp"

namespace postern::infer {
namespace {

/// The sums of w w^T over records that were made up, in scaled units.
std::vector<double> moments_of(const model::SimulatedRecords& records, const model::Study& study) {
  const auto& model = study.model.get<model::LinearRegression>();
  const std::vector<model::MomentEntry> entries = model::regression_entries(model, study.schema);
  const std::vector<std::string> columns = model::columns_of(study.model);
  std::vector<std::vector<std::int16_t>> levels;
  for (const std::string& name : columns) {
    const model::Column& column = study.schema.at(name);
    levels.push_back(model::is_regression_number(column) ? model::moment_levels(column, model.steps)
                                                         : std::vector<std::int16_t>());
  }
  const std::size_t width = entries.size() + 1;
  std::vector<double> out(width * width);
  std::vector<double> w(width, 1);
  records.for_each([&](std::span<const std::uint32_t> at, std::int64_t count) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto [column, level] = entries[e];
      w[e + 1] = level > 0
                     ? (at[column] == level ? 1.0 : 0.0)
                     : static_cast<double>(levels[column][at[column]]) / static_cast<double>(model.steps);
    }
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) out[i * width + j] += static_cast<double>(count) * w[i] * w[j];
    }
  });
  return out;
}

/// Widths of the coefficients in the study's units, given records that are known.
std::vector<double> widths_given(const model::SimulatedRecords& records, const model::Study& study,
                                 Rng& rng) {
  constexpr std::size_t kDraws = 2000;
  RegressionProblem problem = start_regression(study, {});
  problem.total = KnownTotal{0};
  problem.public_moments = moments_of(records, study);
  DriverOptions options;
  options.chains = 1;
  options.draws = kDraws;
  options.threads = 1;
  options.seed = rng();
  const ChainRun run = draw_plug_in_regression(problem, options, {});
  const RegressionQuantities at(problem);
  std::vector<std::vector<double>> values(at.coefficients + 1);
  model::RegressionTheta theta;
  theta.beta.resize(at.coefficients);
  for (std::size_t i = 0; i < kDraws; ++i) {
    for (std::size_t q = 0; q < at.coefficients; ++q) theta.beta[q] = run.draws[0][q * kDraws + i];
    theta.sigma = run.draws[0][at.sigma * kDraws + i];
    const auto natural =
        model::natural_parameters(theta, study.model.get<model::LinearRegression>(), study.schema);
    for (std::size_t q = 0; q < natural.size(); ++q) values[q].push_back(natural[q]);
  }
  std::vector<double> out;
  for (std::vector<double>& one : values) out.push_back(width_of(std::move(one)));
  return out;
}

}  // namespace

std::vector<PriorWidth> RegressionWidths::rows() const {
  constexpr int kDraws = 4000;
  Rng rng(1, 0, Purpose::plan);
  std::vector<std::vector<double>> values;
  for (int t = 0; t < kDraws; ++t) {
    const std::vector<double> one = study_.model.kind().simulate(study_, 1, {}, rng)->theta();
    values.resize(one.size());
    for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
  }
  std::vector<PriorWidth> rows;
  for (model::Parameter& parameter : study_.model.kind().parameters(study_))
    rows.push_back({std::move(parameter.label), width_of(std::move(values[rows.size()]))});
  add_total(rows, study_);
  return rows;
}

StudyWidths RegressionWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  StudyWidths out;
  out.without_noise = widths_given(made.records, made.release.study, rng);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double regression_bytes(const model::Study& study) {
  const RegressionProblem problem = start_regression(study, {});
  const auto width = static_cast<double>(problem.width());
  const double unknowns = width * (width + 1) / 2;
  return 1e6 + 8 * (7 * width * width + 3 * unknowns * unknowns) * InferOptions{}.chains;
}

}  // namespace postern::infer
