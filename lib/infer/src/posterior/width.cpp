#include "width.hpp"

#include <algorithm>

#include "postern/infer/infer.hpp"

namespace postern::infer {

double width_of(std::vector<double> draws) {
  std::sort(draws.begin(), draws.end());
  const auto at = [&](double p) {
    return draws[static_cast<std::size_t>(p * static_cast<double>(draws.size()))];
  };
  return at(0.95) - at(0.05);
}

std::vector<double> posterior_widths(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) {
  InferOptions options;
  options.chains = 1;
  options.draws = 1000;
  options.seed = rng();
  options.check_noise = false;
  options.threads = 1;
  const Posterior posterior = infer({&made.release, 1}, options, {stop, {}});
  std::vector<double> widths;
  for (const SummaryRow& row : posterior.summary) widths.push_back(row.q95 - row.q05);
  return widths;
}

void add_total(std::vector<PriorWidth>& rows, const model::Study& study) {
  if (!study.privacy.n_at_most) return;
  rows.push_back({"number of records", 0.9 * static_cast<double>(*study.privacy.n_at_most), true});
}

double latent_bytes(const model::Study& study, std::optional<std::int64_t> n, double bytes) {
  const std::int64_t records = n.value_or(study.privacy.n_at_most.value_or(0));
  const double spare = study.privacy.n_at_most ? 2 : 1;  // vectors that grow
  return spare * bytes * static_cast<double>(records) * InferOptions{}.chains;
}

}  // namespace postern::infer
