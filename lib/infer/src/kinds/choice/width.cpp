#include "width.hpp"

#include <utility>

#include "postern/model/kinds/choice.hpp"

#include "posterior/width.hpp"

namespace postern::infer {
namespace {

std::size_t levels_of(const model::Study& study) {
  return study.schema.at(model::columns_of(study.model).front()).levels();
}

}  // namespace

ChoiceWidths::ChoiceWidths(const model::Study& study)
    : study_(study), law_(make_level_law(model::study_of_records(study), {})) {}

std::vector<double> ChoiceWidths::widths(std::span<const std::int64_t> counts, std::size_t draws,
                                         Rng& rng) const {
  std::vector<std::vector<double>> values(law_->names().size());
  std::vector<double> one(values.size());
  for (std::size_t i = 0; i < draws; ++i) {
    law_->report(law_->draw(counts, rng), one);
    for (std::size_t q = 0; q < one.size(); ++q) values[q].push_back(one[q]);
  }
  std::vector<double> out;
  for (std::vector<double>& of_one : values) out.push_back(width_of(std::move(of_one)));
  return out;
}

std::vector<PriorWidth> ChoiceWidths::rows() const {
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior = widths(std::vector<std::int64_t>(levels_of(study_), 0), 100'000, rng);
  std::vector<PriorWidth> rows;
  for (std::string& label : law_->labels()) rows.push_back({std::move(label), prior[rows.size()]});
  add_total(rows, study_);
  return rows;
}

StudyWidths ChoiceWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  std::vector<std::int64_t> counts(levels_of(study_), 0);
  made.records.for_each(
      [&](std::span<const std::uint32_t> levels, std::int64_t count) { counts[levels.front()] += count; });
  StudyWidths out;
  out.without_noise = widths(counts, 2000, rng);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

}  // namespace postern::infer
