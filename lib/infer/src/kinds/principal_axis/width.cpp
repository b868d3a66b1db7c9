#include "width.hpp"

#include "posterior/width.hpp"

namespace postern::infer {

AxisWidths::AxisWidths(const model::Study& study)
    : study_(study), law_(study.model.get<model::PrincipalAxis>(), study.schema) {}

std::vector<double> AxisWidths::widths(std::span<const std::int64_t> counts, std::size_t draws,
                                       Rng& rng) const {
  std::vector<std::vector<double>> values(4);
  for (std::size_t i = 0; i < draws; ++i) {
    const LevelLaw::Theta theta = law_.draw(counts, rng);
    const std::vector<double> one = model::component_values(model::axes_at(theta[0], theta[1], law_.sigma()));
    for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
  }
  std::vector<double> out;
  for (std::vector<double>& of_one : values) out.push_back(width_of(std::move(of_one)));
  return out;
}

std::vector<PriorWidth> AxisWidths::rows() const {
  Rng rng(1, 0, Purpose::plan);
  const std::vector<std::int64_t> none(study_.schema.domain(model::columns_of(study_.model)).cells(), 0);
  const std::vector<double> prior = widths(none, 4000, rng);
  std::vector<PriorWidth> rows;
  for (model::Parameter& one : study_.model.kind().parameters(study_))
    rows.push_back({std::move(one.label), prior[rows.size()]});
  add_total(rows, study_);
  return rows;
}

StudyWidths AxisWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  const graph::Domain domain = study_.schema.domain(model::columns_of(study_.model));
  std::vector<std::int64_t> counts(domain.cells(), 0);
  made.records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    counts[levels[0] * domain.sizes()[1] + levels[1]] += count;
  });
  StudyWidths out;
  out.without_noise = widths(counts, 1000, rng);
  out.expected = posterior_widths(made, rng, stop);
  const std::size_t looked_at = out.without_noise.size() + (study_.privacy.n_at_most ? 1 : 0);
  out.expected.resize(looked_at);       // axes and angles come behind
  out.without_noise.resize(looked_at);  // n is known when nothing is noised
  return out;
}

}  // namespace postern::infer
