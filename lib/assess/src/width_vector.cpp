#include "width_vector.hpp"

#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/study.hpp"

namespace postern::assess {
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

std::vector<WidthRow> blank_vector_rows(const model::Study& study) {
  const auto& model = study.model.get<model::MultivariateNormal>();
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior = widths_under(model::wishart_prior(model), 100'000, rng);
  std::vector<WidthRow> rows;
  for (model::Parameter& parameter : model::vector_parameters(model))
    rows.push_back({std::move(parameter.label), prior[rows.size()]});
  if (study.privacy.n_at_most)
    rows.push_back(
        {"number of records", 0.9 * static_cast<double>(*study.privacy.n_at_most), WidthRow::Kind::total});
  return rows;
}

OneStudy vector_widths(const SimulatedStudy& made, Rng& rng, const std::stop_token& stop) {
  const auto& model = made.release.study.model.get<model::MultivariateNormal>();
  OneStudy out;
  out.without_noise =
      widths_under(model::update(model::wishart_prior(model),
                                 dynamic_cast<const model::SimulatedVectors&>(*made.records).sums()),
                   2000, rng);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double vector_bytes(const model::MultivariateNormal& model, const model::Study& study,
                    std::optional<std::int64_t> n) {
  double bytes = 1e6 + latent_bytes(study, n, infer::VectorChain::bytes_per_record(model.columns.size()));
  for (const std::string& column : model.columns) bytes += 64.0 * study.schema.at(column).levels();
  return bytes;
}

}  // namespace postern::assess
