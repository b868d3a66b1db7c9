#include "width.hpp"

#include "postern/model/kinds/principal_component.hpp"

#include "posterior/width.hpp"

namespace postern::infer {
namespace {

std::vector<double> widths_of(const model::PrincipalComponent& model,
                              const std::vector<model::VectorTheta>& draws) {
  std::vector<std::vector<double>> values(2 * model.normal.columns.size());
  for (const model::VectorTheta& theta : draws) {
    const std::vector<double> one = model::component_values(model::principal_axes(model, theta.covariance));
    for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
  }
  std::vector<double> widths;
  for (std::vector<double>& of_one : values) widths.push_back(width_of(std::move(of_one)));
  return widths;
}

}  // namespace

std::vector<PriorWidth> ComponentWidths::rows() const {
  const auto& model = study_.model.get<model::PrincipalComponent>();
  Rng rng(1, 0, Purpose::plan);
  std::vector<model::VectorTheta> draws(20'000);
  for (model::VectorTheta& one : draws)
    one = model::draw_normal_inverse_wishart(model::wishart_prior(model.normal), rng);
  const std::vector<double> prior = widths_of(model, draws);
  std::vector<PriorWidth> rows;
  for (model::Parameter& one : study_.model.kind().parameters(study_))
    rows.push_back({std::move(one.label), prior[rows.size()]});
  add_total(rows, study_);
  return rows;
}

StudyWidths ComponentWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  const auto& model = made.release.study.model.get<model::PrincipalComponent>();
  const auto& records = dynamic_cast<const model::SimulatedComponents&>(made.records);
  const auto& vectors = dynamic_cast<const model::SimulatedVectors&>(records.vectors());
  StudyWidths out;
  out.without_noise =
      widths_of(model, model::draw_after(model::wishart_prior(model.normal), vectors.sums(), 2000, rng));
  out.expected = posterior_widths(made, rng, stop);
  const std::size_t looked_at = out.without_noise.size() + (study_.privacy.n_at_most ? 1 : 0);
  out.expected.resize(looked_at);       // axes and angles come behind
  out.without_noise.resize(looked_at);  // n is known when nothing is noised
  return out;
}

}  // namespace postern::infer
