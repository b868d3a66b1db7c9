#include "width.hpp"

#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/study.hpp"

#include "posterior/width.hpp"

namespace postern::infer {
namespace {

std::vector<double> widths_under(const model::WishartPrior& prior, std::size_t draws, Rng& rng) {
  std::vector<std::vector<double>> values;
  for (std::size_t t = 0; t < draws; ++t) {
    const std::vector<double> one = model::parameter_values(model::draw_normal_inverse_wishart(prior, rng));
    values.resize(one.size());
    for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
  }
  std::vector<double> widths;
  for (std::vector<double>& of_one : values) widths.push_back(width_of(std::move(of_one)));
  return widths;
}

}  // namespace

std::vector<PriorWidth> VectorWidths::rows() const {
  const auto& model = study_.model.get<model::MultivariateNormal>();
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior = widths_under(model::wishart_prior(model), 100'000, rng);
  std::vector<PriorWidth> rows;
  for (model::Parameter& parameter : model::vector_parameters(model))
    rows.push_back({std::move(parameter.label), prior[rows.size()]});
  add_total(rows, study_);
  return rows;
}

StudyWidths VectorWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  const auto& model = made.release.study.model.get<model::MultivariateNormal>();
  const auto& records = dynamic_cast<const model::SimulatedVectors&>(made.records);
  StudyWidths out;
  out.without_noise = widths_under(model::update(model::wishart_prior(model), records.sums()), 2000, rng);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double vector_bytes(const model::Study& study, std::optional<std::int64_t> n) {
  const auto& model = study.model.get<model::MultivariateNormal>();
  double bytes = 1e6 + latent_bytes(study, n, VectorChain::bytes_per_record(model.columns.size()));
  for (const std::string& column : model.columns) bytes += 64.0 * study.schema.at(column).levels();
  return bytes;
}

}  // namespace postern::infer
