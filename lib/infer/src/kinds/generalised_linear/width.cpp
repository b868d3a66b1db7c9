#include "width.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/model/kinds/generalised_linear.hpp"

#include "posterior/width.hpp"
#include "regression/matrix.hpp"

namespace postern::infer {
namespace {

/// One record's entries of (1, x), scaled.
class Entries {
 public:
  Entries(const model::GeneralisedLinear& model, const model::Schema& schema)
      : entries_(model::feature_entries(model.features, model.target, schema)),
        steps_(static_cast<double>(model.steps)) {
    for (const std::string& name : model.features) {
      const model::Column& column = schema.at(name);
      numbers_.push_back(model::is_regression_number(column) ? model::moment_levels(column, model.steps)
                                                             : std::vector<std::int16_t>());
    }
  }
  [[nodiscard]] std::size_t size() const { return entries_.size() + 1; }
  void fill(std::span<const std::uint32_t> record, std::span<double> w) const {
    w[0] = 1;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const auto [column, level] = entries_[e];
      w[e + 1] = level > 0 ? (record[column] == level ? 1.0 : 0.0)
                           : static_cast<double>(numbers_[column][record[column]]) / steps_;
    }
  }

 private:
  std::vector<model::MomentEntry> entries_;
  double steps_;
  std::vector<std::vector<std::int16_t>> numbers_;
};

/// The factor of the coefficients' precision given the records as they are: prior and Fisher information.
Matrix information(const MadeUpStudy& made, const model::GeneralisedLinear& model,
                   const model::Schema& schema, const std::vector<double>& truth) {
  const Entries entries(model, schema);
  Matrix out(entries.size());
  const model::InterceptPrior first = model::intercept_prior(model, schema);
  const double sd = model.prior_sd.get_d();
  for (std::size_t i = 0; i < entries.size(); ++i) out(i, i) = 1 / (i == 0 ? first.sd * first.sd : sd * sd);
  std::vector<double> w(entries.size());
  made.records.for_each([&](std::span<const std::uint32_t> record, std::int64_t count) {
    entries.fill(record, w);
    double a = 0;
    for (std::size_t i = 0; i < w.size(); ++i) a += truth[i] * w[i];
    const double p = 1 / (1 + std::exp(-a));
    const double weight = model.family == model::GlmFamily::logistic
                              ? p * (1 - p)
                              : std::min(std::exp(a), static_cast<double>(model::glm_most(model, schema)));
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) out(i, j) += static_cast<double>(count) * weight * w[i] * w[j];
    }
  });
  (void)factorise(out, out.size());  // the prior keeps every pivot above 0
  return out;
}

}  // namespace

std::vector<PriorWidth> GlmWidths::rows() const {
  constexpr double kCentral = 2 * 1.6448536269514722;
  const auto& model = study_->model.get<model::GeneralisedLinear>();
  std::vector<model::Parameter> parameters = study_->model.kind().parameters(*study_);
  // A scaled coefficient's interval in the column's units; the intercept's, at the middle of all columns.
  std::vector<PriorWidth> out;
  for (std::size_t q = 0; q < parameters.size(); ++q) {
    std::vector<double> one(parameters.size(), 0.0);
    const double sd = q == 0 ? model::intercept_prior(model, study_->schema).sd : model.prior_sd.get_d();
    one[q] = kCentral * sd;
    out.push_back({parameters[q].label, model::natural_coefficients(one, model, study_->schema)[q]});
  }
  add_total(out, *study_);
  return out;
}

StudyWidths GlmWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  constexpr std::size_t kDraws = 2000;
  const auto& model = study_->model.get<model::GeneralisedLinear>();
  const std::vector<double> truth = model::scaled_coefficients(made.records.theta(), model, study_->schema);
  const Matrix factor = information(made, model, study_->schema, truth);
  std::vector<std::vector<double>> values(truth.size());
  std::vector<double> one(truth.size());
  for (std::size_t k = 0; k < kDraws; ++k) {
    for (std::size_t i = one.size(); i-- > 0;) {
      one[i] = draw_normal(rng);
      for (std::size_t j = i + 1; j < one.size(); ++j) one[i] -= factor(j, i) * (one[j] - truth[j]);
      one[i] = truth[i] + one[i] / factor(i, i);
    }
    const std::vector<double> natural = model::natural_coefficients(one, model, study_->schema);
    for (std::size_t i = 0; i < one.size(); ++i) values[i].push_back(natural[i]);
  }
  StudyWidths out;
  for (std::vector<double>& of_one : values) out.without_noise.push_back(width_of(std::move(of_one)));
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

}  // namespace postern::infer
