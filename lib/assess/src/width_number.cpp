#include "width_number.hpp"

#include <algorithm>

#include "postern/infer/infer.hpp"
#include "postern/model/number_family.hpp"

namespace postern::assess {
namespace {

/// A number's family with its known parameters and prior in place.
struct Setting {
  explicit Setting(const model::Study& study)
      : model(std::get<model::Number>(study.model)),
        family(*model::find_number_family(model.family)),
        law(family.law(model.known)) {
    for (std::size_t i = 0; i < model.prior.size(); ++i) prior[i] = model.prior[i].get_d();
  }
  const model::Number& model;
  const model::NumberFamily& family;
  std::shared_ptr<const model::NumberLaw> law;
  model::Hyper prior{};
};

std::vector<double> widths_under(const Setting& setting, const model::Hyper& prior, std::size_t draws,
                                 Rng& rng) {
  std::vector<std::vector<double>> values(setting.family.parameters.size());
  for (std::size_t i = 0; i < draws; ++i) {
    const model::Theta theta = setting.law->draw_theta(prior, rng);
    for (std::size_t q = 0; q < values.size(); ++q) values[q].push_back(theta[q]);
  }
  std::vector<double> widths;
  for (std::vector<double>& of_one : values) widths.push_back(width_of(std::move(of_one)));
  return widths;
}

}  // namespace

double width_of(std::vector<double> draws) {
  std::sort(draws.begin(), draws.end());
  const auto at = [&](double p) {
    return draws[static_cast<std::size_t>(p * static_cast<double>(draws.size()))];
  };
  return at(0.95) - at(0.05);
}

std::vector<double> posterior_widths(const SimulatedStudy& made, Rng& rng) {
  infer::InferOptions options;
  options.chains = 1;
  options.draws = 1000;
  options.seed = rng();
  options.threads = 1;
  const infer::Posterior posterior = infer::infer({&made.release, 1}, options, {});
  std::vector<double> widths;
  for (const infer::SummaryRow& row : posterior.summary) widths.push_back(row.q95 - row.q05);
  return widths;
}

std::vector<WidthRow> blank_number_rows(const model::Study& study) {
  const Setting setting(study);
  Rng rng(1, 0, Purpose::plan);
  const std::vector<double> prior = widths_under(setting, setting.prior, 100'000, rng);
  std::vector<WidthRow> rows;
  for (std::size_t q = 0; q < prior.size(); ++q) {
    rows.push_back({std::string(setting.family.labels[q]) + " " + setting.model.column, prior[q], 0, 0});
  }
  if (study.privacy.n_at_most)
    rows.push_back({"number of records", 0.9 * static_cast<double>(*study.privacy.n_at_most), 0, 0});
  return rows;
}

OneStudy number_widths(const SimulatedStudy& made, Rng& rng) {
  const Setting setting(made.release.study);
  OneStudy out;
  out.without_noise = widths_under(setting, setting.law->update(setting.prior, made.sums), 2000, rng);
  out.expected = posterior_widths(made, rng);
  out.without_noise.resize(out.expected.size(), 0);  // n is known when nothing is noised
  return out;
}

}  // namespace postern::assess
