#include "postern/assess/simulate.hpp"

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::assess {
namespace {

/// Cell probabilities drawn from the prior; for bernoulli in the order of the column's levels.
std::vector<double> draw_cells(const model::Bernoulli& model, Rng& rng) {
  const double success = draw_beta(model.a.get_d(), model.b.get_d(), rng);
  std::vector<double> cells(2, 1 - success);
  cells[model.success] = success;
  return cells;
}

std::vector<double> draw_cells(const model::Categorical& model, Rng& rng) {
  std::vector<double> alpha;
  for (const Rational& a : model.alpha) alpha.push_back(a.get_d());
  std::vector<double> cells(alpha.size());
  draw_dirichlet(alpha, cells, rng);
  return cells;
}

/// The exact statistic, from the counts of the model's cells.
std::vector<Int128> measure(const model::Statistic& statistic, const std::vector<std::int64_t>& counts) {
  if (const auto* level = std::get_if<model::LevelCount>(&statistic)) return {counts[level->level]};
  return {counts.begin(), counts.end()};
}

}  // namespace

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, Rng& rng) {
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !n) throw Error(ErrorCode::usage, {"with public n a simulated study needs n"});
  SimulatedStudy out;
  out.n = n ? *n
            : static_cast<std::int64_t>(
                  draw_below(static_cast<std::uint64_t>(*study.privacy.n_at_most) + 1, rng));
  const std::vector<double> cells =
      std::visit([&](const auto& m) { return draw_cells(m, rng); }, study.model);
  out.counts.resize(cells.size());
  draw_multinomial(out.n, cells, out.counts, rng);
  const auto* bernoulli = std::get_if<model::Bernoulli>(&study.model);
  out.theta = bernoulli != nullptr ? std::vector<double>{cells[bernoulli->success]} : cells;

  out.release.release_id = std::string(32, '0');
  out.release.created = "2000-01-01";
  out.release.software = "simulation";
  out.release.study = study;
  out.release.mechanism = plan.mechanism;
  out.release.cost = plan.cost;
  out.release.ledger = {1, std::string(64, '0'), std::string(32, '0')};
  if (hidden) {
    out.release.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.release.n = release::PublicCount{out.n};
  }
  for (const model::Block& block : plan.measurement.blocks) {
    const release::NoiseLaw law = release::noise_law(block.noise);
    std::vector<Int128> values = measure(block.statistic, out.counts);
    for (Int128& value : values) value += release::simulate(law, rng);
    out.release.blocks.push_back({block, std::move(values)});
  }
  return out;
}

}  // namespace postern::assess
