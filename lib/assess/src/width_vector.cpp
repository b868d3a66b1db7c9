#include "width_vector.hpp"

#include "postern/model/vector_family.hpp"

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
  const auto& model = std::get<model::MultivariateNormal>(study.model);
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior = widths_under(model::wishart_prior(model), 100'000, rng);
  std::vector<WidthRow> rows;
  for (model::VectorParameter& parameter : model::vector_parameters(model))
    rows.push_back({std::move(parameter.label), prior[rows.size()], 0, 0});
  if (study.privacy.n_at_most)
    rows.push_back({"number of records", 0.9 * static_cast<double>(*study.privacy.n_at_most), 0, 0});
  return rows;
}

OneStudy vector_widths(const SimulatedStudy& made, Rng& rng) {
  const auto& model = std::get<model::MultivariateNormal>(made.release.study.model);
  OneStudy out;
  out.without_noise = widths_under(model::update(model::wishart_prior(model), made.vector_sums), 2000, rng);
  out.expected = posterior_widths(made, rng);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double vector_bytes(const model::MultivariateNormal& model, const model::Study& study,
                    std::optional<std::int64_t> n) {
  const std::int64_t records = n.value_or(study.privacy.n_at_most.value_or(0));
  const auto d = static_cast<double>(model.columns.size());
  double bytes = 1e6 + 16 * d * static_cast<double>(records);
  for (const std::string& column : model.columns) bytes += 64.0 * study.schema.at(column).levels();
  return bytes;
}

}  // namespace postern::assess
