#include "width.hpp"

#include <algorithm>

#include "postern/infer/kinds/number/augment/record_chain.hpp"
#include "postern/infer/kinds/number/kept_theta.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/study.hpp"

#include "model.hpp"
#include "posterior/width.hpp"

namespace postern::infer {
namespace {

/// A number's family with its known parameters and prior in place.
struct Setting {
  explicit Setting(const model::Study& study)
      : model(study.model.get<model::Number>()),
        family(*model::find_number_family(model.family)),
        with_prior(law_with_prior(study, {})),
        law(with_prior.law),
        prior(with_prior.prior) {}
  const model::Number& model;
  const model::NumberFamily& family;
  model::LawWithPrior with_prior;
  std::shared_ptr<const model::NumberLaw> law;
  model::Hyper prior{};
};

/// Widths of what draw() gives.
template <class Draw>
std::vector<double> widths_of(const Setting& setting, std::size_t draws, const Draw& draw) {
  std::vector<std::vector<double>> values(setting.family.parameters.size());
  for (std::size_t i = 0; i < draws; ++i) {
    const model::Theta theta = draw();
    for (std::size_t q = 0; q < values.size(); ++q) values[q].push_back(theta[q]);
  }
  std::vector<double> widths;
  for (std::vector<double>& of_one : values) widths.push_back(width_of(std::move(of_one)));
  return widths;
}

/// Given the records as they are; where the column drops some, as a sample of the kept ones.
std::vector<double> noiseless_widths(const Setting& setting, const MadeUpStudy& made, Rng& rng) {
  constexpr std::size_t kDraws = 2000;
  const model::NumberLaw& law = *setting.law;
  const auto& records = dynamic_cast<const model::SimulatedNumbers&>(made.records);
  const model::Hyper after = law.update(setting.prior, records.sums());
  const model::EncodedNumber number =
      model::encoded_number(made.release.study.schema.at(setting.model.column),
                            setting.family.transform(setting.model.known), setting.family.wholes());
  const model::KeptRange range(setting.law, number, setting.family.whole);
  if (!range.drops()) return widths_of(setting, kDraws, [&] { return law.draw_theta(after, rng); });
  const KeptRecords kept{&range, records.sums().n};
  model::Theta theta{};  // the truth is a draw of the posterior, or near it: the chain begins there
  std::copy(made.records.theta().begin(), made.records.theta().end(), theta.begin());
  return widths_of(setting, kDraws, [&] {
    step_kept_theta(law, setting.family.parameters.size(), after, {&kept, 1}, theta, rng);
    return theta;
  });
}

}  // namespace

std::vector<PriorWidth> NumberWidths::rows() const {
  const Setting setting(study_);
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior =
      widths_of(setting, 100'000, [&] { return setting.law->draw_theta(setting.prior, rng); });
  std::vector<PriorWidth> rows;
  for (std::size_t q = 0; q < prior.size(); ++q)
    rows.push_back({setting.family.label(q, setting.model.column), prior[q]});
  add_total(rows, study_);
  return rows;
}

StudyWidths NumberWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  const Setting setting(made.release.study);
  StudyWidths out;
  out.without_noise = noiseless_widths(setting, made, rng);
  out.expected = posterior_widths(made, rng, stop);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

double number_bytes(const model::Study& study, std::optional<std::int64_t> n) {
  const auto& model = study.model.get<model::Number>();
  const double grid = 64.0 * study.schema.at(model.column).levels() + 1e6;
  return model.count_inside ? grid + latent_bytes(study, n, RecordChain::kBytesPerRecord) : grid;
}

}  // namespace postern::infer
